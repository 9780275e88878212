"""What the benchmark of releases calls the same hits, and which figure misses its bar."""

import subprocess
from pathlib import Path

import numpy as np
from benchmarks.as_of import LIMIT, Found, equal, overlap
from benchmarks.embedding_endpoint import vector_of
from benchmarks.git_releases import find_releases, list_objects, write_release
from benchmarks.releases import QUESTIONS, Figure, questions_of


def hits(*scores_and_names: tuple[float, str]) -> list[Found]:
    return [(score, "procedure", name) for score, name in scores_and_names]


def test_hits_of_equal_score_may_change_places() -> None:
    assert equal(hits((2, "a"), (1, "b"), (1, "c")), hits((2, "a"), (1, "c"), (1, "b")))


def test_hits_of_other_scores_may_not_change_places() -> None:
    assert not equal(hits((2, "a"), (1, "b")), hits((2, "b"), (1, "a")))


def test_a_hit_that_is_missing_or_another_one_is_a_difference() -> None:
    assert not equal(hits((2, "a"), (1, "b")), hits((2, "a")))
    assert not equal(hits((2, "a"), (1, "b")), hits((2, "a"), (1, "c")))


def test_a_full_list_may_end_with_another_hit_of_the_last_score() -> None:
    upper = [(float(LIMIT - place), f"name {place}") for place in range(LIMIT - 1)]
    assert equal(hits(*upper, (0.5, "x")), hits(*upper, (0.5, "y")))
    assert not equal(hits(*upper[:-1], (1.0, "x"), (0.5, "y")), hits(*upper[:-1], (1.0, "z"), (0.5, "y")))


def test_what_the_index_overlooks_lowers_the_overlap_and_an_equal_distance_does_not() -> None:
    exact = hits((0.9, "a"), (0.8, "b"), (0.8, "c"))
    assert overlap(exact, hits((0.9, "a"), (0.8, "c"), (0.1, "d")), top=2) == 1
    assert overlap(exact, hits((0.9, "a"), (0.7, "d")), top=2) == 0.5


def test_texts_that_share_words_are_nearer_than_others() -> None:
    one, near, far = map(vector_of, ("ЗаписатьДокумент Склад", "Документ: записать", "Валюта отчёта"))
    assert np.isclose(np.linalg.norm(one), 1, atol=1e-3)
    assert one @ near > one @ far


def test_a_bar_is_missed_from_above_or_from_below() -> None:
    assert Figure("group", "seconds", 121, 120).missed
    assert not Figure("group", "seconds", 120, 120).missed
    assert Figure("group", "overlap", 0.9, 0.95, least=True).missed
    assert not Figure("group", "megabytes", 1_000).missed


def test_questions_are_names_in_words_from_all_over_the_list() -> None:
    asked = questions_of([f"ОбъектНомер{'АБВ'[place % 3]}" for place in range(3 * QUESTIONS)])
    assert len(asked) == QUESTIONS
    assert set(asked) == {"Объект Номер А"}


def test_a_release_is_written_from_its_commit_and_nothing_of_another_stays(tmp_path: Path) -> None:
    repository, folder = tmp_path / "repository", tmp_path / "folder"
    content = repository / "src" / "cf"
    (content / "Ext").mkdir(parents=True)
    for version, module in (("1.1", "Старый.bsl"), ("1.2", "Новый.bsl")):
        for old in (content / "Ext").iterdir():
            old.unlink()
        (content / "Configuration.xml").write_text(f"<Version>{version}</Version>", "utf-8")
        (content / "Catalogs").mkdir(exist_ok=True)
        (content / "Catalogs" / "Склады.xml").write_text("<MetaDataObject/>", "utf-8")
        (content / "Ext" / module).write_text(f"// {version}", "utf-8")
        git(repository, "init", "-q")
        git(repository, "add", "-A")
        git(repository, "-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", version)
    versions = find_releases(repository)
    assert list(versions) == ["1.2", "1.1"]
    assert list_objects(repository, versions["1.2"]) == ["Склады"]
    for version, module in (("1.1", "Старый.bsl"), ("1.2", "Новый.bsl")):
        assert write_release(repository, versions[version], folder) == []
        assert [file.name for file in (folder / "src" / "cf" / "Ext").iterdir()] == [module]
        assert (folder / "src" / "cf" / "Ext" / module).read_text("utf-8") == f"// {version}"


def git(repository: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(repository), *arguments], check=True)
