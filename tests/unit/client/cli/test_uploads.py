import json

from unit.client.conftest import RunCli
from unit.client.fake_api import UPLOAD_ID, FakeApi

REASON = "it would remove 7 of 8 documents, more than 30%; to be confirmed"


def test_uploads_are_listed_with_their_reasons(run_cli: RunCli, fake: FakeApi) -> None:
    fake.upload |= {"state": "held", "reason": REASON}
    shown = run_cli("uploads").stdout
    assert "ждёт подтверждения" in shown
    assert f"{UPLOAD_ID}: {REASON}" in shown
    assert UPLOAD_ID not in run_cli("uploads", "--source", "другой").stdout
    assert [row["id"] for row in json.loads(run_cli("uploads", "-s", "bsp", "--json").stdout)] == [UPLOAD_ID]


def test_a_held_upload_is_confirmed(run_cli: RunCli, fake: FakeApi) -> None:
    fake.upload |= {"state": "held", "reason": REASON}
    ended = run_cli("uploads", "confirm", UPLOAD_ID)
    assert ended.returncode == 0
    assert ended.stdout == f"Подтверждено. Ход загрузки: onec-rag status {UPLOAD_ID}\n"
    assert len(fake.sent("POST", f"/v1/uploads/{UPLOAD_ID}/confirm")) == 1
    assert json.loads(run_cli("uploads", "confirm", UPLOAD_ID, "--json").stdout)["id"] == UPLOAD_ID


def test_what_can_not_be_confirmed_is_told(run_cli: RunCli, fake: FakeApi) -> None:
    fake.upload |= {"state": "ready"}
    ended = run_cli("uploads", "confirm", UPLOAD_ID)
    assert ended.returncode == 1
    assert "there is nothing to confirm" in ended.stderr
    assert run_cli("uploads", "confirm", "no-id").returncode == 2
