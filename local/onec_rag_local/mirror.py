"""A thread that keeps the data folder's objects equal to the bucket's, since the bucket server keeps nothing."""

import json
import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from onec_rag_local.objects import copy, read_all, remove

if TYPE_CHECKING:
    from mypy_boto3_s3.client import S3Client
    from mypy_boto3_sqs.client import SQSClient

POLL_SECONDS = 1
logger = logging.getLogger(__name__)


class Mirror:
    """A thread that copies what is created in the bucket and removes what is deleted.

    An event only says which key to look at; what is done depends on the bucket's present state, so events may come
    twice and in any order. What happened in the last two seconds before a kill may be lost.
    """

    def __init__(self, s3: "S3Client", sqs: "SQSClient", bucket: str, queue_url: str, folder: Path) -> None:
        self._s3 = s3
        self._sqs = sqs
        self._bucket = bucket
        self._queue_url = queue_url
        self._objects = folder / "objects"
        self._etags = {kept.key: kept.etag for kept in read_all(self._objects)}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mirror", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread, then compare with the whole bucket, so that nothing that was stored is missed.

        Once more does nothing.
        """
        if self._stopping.is_set():
            return
        self._stopping.set()
        self._thread.join()
        try:
            self.synchronise()
        except (BotoCoreError, ClientError):
            logger.exception("the bucket server is gone, its last changes with it")

    def synchronise(self) -> None:
        """Bring every object that differs up to date, and remove those that are gone."""
        pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=self._bucket)
        stored = {item["Key"]: item["ETag"].strip('"') for page in pages for item in page.get("Contents", [])}
        for key in stored.keys() | self._etags.keys():
            if stored.get(key) != self._etags.get(key):
                self._look_at(key)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._hear()
            except (BotoCoreError, ClientError, OSError):
                # The message comes again, and stop() compares everything; a full disk must not end the mirror.
                logger.exception("an object could not be mirrored")
                self._stopping.wait(POLL_SECONDS)

    def _hear(self) -> None:
        answer = self._sqs.receive_message(
            QueueUrl=self._queue_url, MaxNumberOfMessages=10, WaitTimeSeconds=POLL_SECONDS
        )
        for message in answer.get("Messages", []):
            self._look_at(json.loads(message["Body"])["detail"]["object"]["key"])
            self._sqs.delete_message(QueueUrl=self._queue_url, ReceiptHandle=message["ReceiptHandle"])

    def _look_at(self, key: str) -> None:
        try:
            self._etags[key] = copy(self._s3, self._bucket, key, self._objects)
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] != 404:
                raise
            self._etags.pop(key, None)
            remove(self._objects, key)
