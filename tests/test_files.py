"""Files that are written whole or not at all, and read up to a limit."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bough.files import read_file, write_file

OLD, NEW = b"old", b"new" * 100_000


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(OLD)
    return path


def fail_with(number):
    def fail(*_, **__):
        raise OSError(number, os.strerror(number))

    return fail


def test_a_file_is_replaced(path):
    write_file(path, NEW)
    assert path.read_bytes() == NEW


def test_a_file_is_made(tmp_path):
    write_file(str(tmp_path / "m.json"), NEW)
    assert (tmp_path / "m.json").read_bytes() == NEW


def test_nothing_else_is_left_in_the_folder(path):
    write_file(path, NEW)
    assert [each.name for each in path.parent.iterdir()] == ["m.json"]


def test_a_link_stays_a_link_and_its_file_is_replaced(path):
    link = path.with_name("link.json")
    link.symlink_to(path)
    write_file(link, NEW)
    assert (link.is_symlink(), path.read_bytes()) == (True, NEW)


def test_a_file_keeps_its_permissions(path):
    path.chmod(0o640)
    write_file(path, NEW)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_permissions(path):
    write_file(path.with_name("new.json"), NEW)
    usual = path.with_name("usual.json")
    usual.write_bytes(NEW)
    assert path.with_name("new.json").stat().st_mode == usual.stat().st_mode


def test_a_long_name_can_be_saved(tmp_path):
    path = tmp_path / ("n" * 250 + ".json")
    write_file(path, NEW)
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_step_that_fails_leaves_the_old_file_and_nothing_else(path, monkeypatch, step, number):
    monkeypatch.setattr(os, step, fail_with(number))
    with pytest.raises(OSError, match=os.strerror(number)) as error:
        write_file(path, NEW)
    assert str(error.value) == (
        f"cannot save {str(path)!r}: {os.strerror(number)}. The old file is unchanged."
    )
    assert error.value.errno == number
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == {"m.json": OLD}


def test_a_full_disk_leaves_the_old_file_and_nothing_else(path):
    # The limit of a file's size makes a write itself fail: the first, any, the last.
    code = f"""
import resource, signal
from bough.files import write_file
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for limit in (0, 1000, 8192, 150_000, 299_999):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        write_file({str(path)!r}, b"new" * 100_000)
    except OSError as error:
        print(error)
"""
    says = f"cannot save {str(path)!r}: File too large. The old file is unchanged.\n"
    assert run(code).stdout == 5 * says
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == {"m.json": OLD}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_file_that_cannot_be_begun_leaves_the_old_one(path, monkeypatch, number):
    monkeypatch.setattr(Path, "open", fail_with(number))
    with pytest.raises(OSError, match="The old file is unchanged"):
        write_file(path, NEW)
    monkeypatch.undo()
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == {"m.json": OLD}


def test_an_interrupt_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_file(path, NEW)
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == {"m.json": OLD}


def test_a_kill_at_any_moment_leaves_the_old_file_or_the_new_one(path):
    code = f"""
from bough.files import write_file
print("ready", flush=True)
while True:
    write_file({str(path)!r}, b"new" * 100_000)
    write_file({str(path)!r}, b"old")
"""
    for kill in range(20):
        process = start(code)
        process.stdout.readline()
        time.sleep(0.0007 * kill)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert path.read_bytes() in (OLD, NEW)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    path = tmp_path / "none" / "m.json"
    with pytest.raises(FileNotFoundError) as error:
        write_file(path, NEW)
    assert str(error.value) == f"cannot save {str(path)!r}: No such file or directory."


def test_a_folder_is_not_replaced(tmp_path):
    folder = tmp_path / "m.json"
    folder.mkdir()
    with pytest.raises(OSError, match="directory") as error:
        write_file(folder, NEW)
    assert str(error.value) == f"cannot save {str(folder)!r}: Is a directory."
    assert [each.name for each in tmp_path.iterdir()] == ["m.json"]


def test_a_device_is_written_to_and_stays_one():
    reader, device = os.openpty()
    path = Path(os.ttyname(device))
    write_file(path, b"new")
    assert (os.read(reader, 10), path.is_char_device()) == (b"new", True)
    os.close(reader)
    os.close(device)


def test_a_folder_that_cannot_be_synced_does_not_matter(path, monkeypatch):
    sync = os.fsync

    def only_files(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", only_files)
    write_file(path, NEW)
    assert path.read_bytes() == NEW


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES])
def test_a_folder_that_cannot_be_opened_does_not_matter(path, monkeypatch, number):
    monkeypatch.setattr(os, "open", fail_with(number))  # once the file is saved
    write_file(path, NEW)
    assert path.read_bytes() == NEW


def test_a_file_of_just_the_limit_is_read(path):
    assert read_file(path, max_bytes=3) == OLD


def test_a_file_without_an_end_is_read_no_further_than_the_limit():
    with pytest.raises(ValueError, match="limit is 1,000") as error:
        read_file("/dev/zero", max_bytes=1000)
    assert str(error.value) == "'/dev/zero' has 1,001 bytes; the limit is 1,000 (max_bytes=)."


def run(code):
    process = start(code)
    process.stdout, process.stderr = (text.decode() for text in process.communicate())
    return process


def start(code):
    source = Path(sys.modules["bough.files"].__file__).parents[1]
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(source)},
    )
