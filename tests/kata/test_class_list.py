"""The list of a class as teachers have it: from spreadsheets, with slips, and in wrong places."""

from pathlib import Path

import pytest

from tests.grader.refusal import Refusal
from tests.grader.roster import read_roster
from tests.kata.class_room import make_room


def names(place: Path, content: str | bytes) -> dict[str, str]:
    """The names and folders of a list with this content, in the folder of the class."""
    listed = place / "class.csv"
    listed.write_bytes(content if isinstance(content, bytes) else content.encode())
    return {e.name: str(e.folder.relative_to(place)) for e in read_roster(listed)}


TWO = {"Anna": "repos/a", "Bert": "repos/b"}
LISTS = {
    "commas": ("name,folder\nAnna,repos/a\nBert,repos/b\n", TWO),
    "semicolons": ("name;folder\nAnna;repos/a\nBert;repos/b\n", TWO),
    "a note of the delimiter": ("sep=;\r\nname;folder\r\nAnna;repos/a\r\nBert;repos/b\r\n", TWO),
    "tabs": ("name\tfolder\nAnna\trepos/a\nBert\trepos/b\n", TWO),
    "semicolons, no header": ("Anna;repos/a\nBert;repos/b\n", TWO),
    "a mark at the start": (b"\xef\xbb\xbfName;Folder\r\nAnna;repos/a\r\nBert;repos/b\r\n", TWO),
    "old line ends": ("name,folder\rAnna,repos/a\rBert,repos/b\r", TWO),
    "blank lines and spaces": ("\n name , folder \n\n Anna , repos/a \n,\nBert,repos/b", TWO),
    "other columns": ("id,folder,name,note\n1,repos/a,Anna,\n2,repos/b,Bert,late\n", TWO),
    "quoted names": ('name,folder\n"Li, Bo",repos/a\n', {"Li, Bo": "repos/a"}),
    "quoted, no header": ('"Li, Bo";repos/a\n', {"Li, Bo": "repos/a"}),
    "commas in names": ("M\u00fcl, A;a\nLi, Bo;b\n", {"M\u00fcl, A": "a", "Li, Bo": "b"}),
    "letters": ("\u674e;a b\n\U0001f600;\u00e4\n", {"\u674e": "a b", "\U0001f600": "\u00e4"}),
    "folders alone": ("repos/a\nrepos/b\n", {"a": "repos/a", "b": "repos/b"}),
    "a blank name": ("name,folder\n,repos/a\n", {"a": "repos/a"}),
}  # fmt: skip


@pytest.mark.parametrize("what", LISTS)
def test_a_list_is_read_however_a_spreadsheet_writes_it(what: str, tmp_path: Path) -> None:
    content, expected = LISTS[what]
    assert names(tmp_path, content) == expected


REFUSED = {
    "a header alone": ("name,folder\n", "lists nothing"),
    "blank lines alone": ("\n\n;\n", "lists nothing"),
    "no column of folders": ("name,path\nAnna,a\n", "has no column 'folder'"),
    "three columns and no header": ("1,Anna,a\n2,Bert,b\n", "has no column 'folder'"),
    "one student twice": ("Anna;a\nBert;b\nAnna;c\n", "has 'Anna' twice"),
    "an unquoted comma": ("name,folder\nM, Anna,a\n", "with 3 cells for 2 columns; write a name"),
    "a line without a folder": ("name;folder\nAnna;a\nBert\n", "'Bert' without a folder"),
    "a quote that stays open": ('name;folder\n"Anna;a\nBert;b\n', "look at its quotes"),
    "another alphabet's bytes": ("name;folder\nM\u00fcller;a\n".encode("cp1252"), "save it as CSV"),
    "two bytes a letter": ("name\tfolder\nAnna\ta\n".encode("utf-16"), "save it as CSV UTF-8"),
    "a workbook": (b"PK\x03\x04\x14", "an archive or a workbook; unpack it and name the folder"),
    "a packed archive": (b"\x1f\x8b\x08", "an archive or a workbook"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_list_with_a_slip_is_refused_in_one_sentence(what: str, tmp_path: Path) -> None:
    content, sentence = REFUSED[what]
    with pytest.raises(Refusal, match=sentence) as caught:
        names(tmp_path, content)
    assert "\n" not in str(caught.value)


def test_a_device_is_no_list_and_is_not_waited_for() -> None:
    with pytest.raises(Refusal, match="is no ordinary file; name a folder or a CSV list"):
        read_roster(Path("/dev/zero"))


@pytest.mark.parametrize("inside", ["linear.py", "exercises/linear.py"])
def test_one_submission_is_not_taken_for_a_class(inside: str, tmp_path: Path) -> None:
    (tmp_path / inside).parent.mkdir(exist_ok=True)
    (tmp_path / inside).write_text("")
    with pytest.raises(Refusal, match="is one submission, for it holds exercises; leave out --all"):
        read_roster(tmp_path)


def test_a_link_and_an_archive_in_a_class_are_told_and_not_taken(tmp_path: Path) -> None:
    for name in ("alice", "__MACOSX", ".git"):
        (tmp_path / name).mkdir()
    (tmp_path / "bob").symlink_to(tmp_path / "alice")  # would get the grade of alice
    (tmp_path / "carol").symlink_to(tmp_path / "gone")
    (tmp_path / "dan.zip").write_bytes(b"PK")
    (tmp_path / "notes.txt").write_text("")
    faults = {entry.name: entry.fault for entry in read_roster(tmp_path)}
    link = "It is a link; only a CSV list can name the folder of another place."
    archive = "It is an archive; unpack it into a folder of its own."
    assert faults == {"alice": "", "bob": link, "carol": link, "dan.zip": archive}


def test_a_link_in_a_list_keeps_the_name_of_the_link(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "bob").symlink_to(tmp_path / "alice")
    assert names(tmp_path, "alice\nbob\n") == {"alice": "alice", "bob": "bob"}


def test_two_names_with_one_folder_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = make_room(tmp_path, monkeypatch, "team", "carol")
    (tmp_path / "link").symlink_to("team")
    listed = tmp_path / "list.csv"
    listed.write_text("alice,team\nbob,link\ncarol,carol\n")
    assert room.run(tmp_path / "results.jsonl", listed) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "alice and bob have the same folder; each gets its grade."


def test_names_keep_their_letters_in_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = make_room(tmp_path / "class", monkeypatch, "J\u00f6rg \u674e \U0001f600", "new\nline")
    assert room.run(tmp_path / "results.jsonl") == 0
    table = (tmp_path / "results.csv").read_bytes()
    assert table.startswith(b"\xef\xbb\xbfsubmission,")  # by which spreadsheets know UTF-8
    lines = table.decode("utf-8-sig").splitlines()
    assert [line.partition(",")[0] for line in lines[1:]] == [
        "J\u00f6rg \u674e \U0001f600",
        "new?line",
    ]
