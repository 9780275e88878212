"""Progress bars of an upload, on stderr."""

from functools import partial

from rich.filesize import decimal
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from onec_rag_client.cli.output import ERR, number, plain
from onec_rag_client.language import text
from onec_rag_client.results import FINAL_STATES, Source, Upload
from onec_rag_client.transfer import OnBytes


def make_progress() -> Progress:
    """Bars for stages that begin one after the other; where there is no terminal they are printed once, at the end."""
    return Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), _Amount(), TimeElapsedColumn(), console=ERR
    )


def begin_bytes(progress: Progress, key: str, total: int) -> OnBytes:
    """A stage that is counted in bytes; gives what is to be told of bytes done."""
    return partial(progress.advance, progress.add_task(text(key), total=total, amount=decimal))


def begin_count(progress: Progress, key: str) -> TaskID:
    """A stage whose total is not known yet."""
    return progress.add_task(text(key), total=None, amount=number)


def show_upload(progress: Progress, task: TaskID, upload: Upload) -> None:
    """The tasks that are done; an upload that ended without one is told by the summary alone."""
    state = upload["state"]
    progress.update(
        task,
        description=text("stage.loading" if state in FINAL_STATES else f"stage.{state}"),
        total=upload["tasks"] or None,
        completed=upload["tasks_done"],
        visible=state not in FINAL_STATES or upload["tasks"] > 0,
    )


def show_vectors(progress: Progress, task: TaskID, source: Source) -> None:
    """The chunks that have a vector, and why the others get none."""
    problem = plain(source["vector_problem"] or "") if source["coverage"] < 1 else ""
    progress.update(
        task,
        description=f"{text('stage.vectors')} {problem}"[:60].rstrip(),
        total=source["chunks"],
        completed=source["vectors"],
    )


class _Amount(ProgressColumn):
    """Done of total, in bytes or pieces."""

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text("")
        amount = task.fields["amount"]
        return Text(f"{amount(int(task.completed))} / {amount(int(task.total))}", style="progress.download")
