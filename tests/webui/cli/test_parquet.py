"""`bezique export --parquet`, and commands that read the folder it writes."""

import shutil

import duckdb
import pytest

from analyzer.store.parquet import WHOLE_TABLES
from records.format import codec
from records.selfplay import play_game


@pytest.fixture(scope="module")
def made(run, tmp_path_factory):
    """A folder with three games, a data folder that has them, and its tables."""
    folder = tmp_path_factory.mktemp("made")
    path = folder / "games.jsonl"
    path.write_bytes(b"".join(codec.encode(play_game("zique", seed=s)) + b"\n" for s in range(3)))
    assert run("ingest", path, "--data", folder / "data").exit_code == 0
    result = run("export", "--parquet", folder / "tables", "--data", folder / "data")
    told = f"Wrote the tables of 3 games to {folder / 'tables'}.\n"
    assert (result.exit_code, result.stderr) == (0, told)
    return folder


@pytest.fixture
def tables(made, tmp_path):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "tables"


@pytest.mark.long
def test_a_folder_beside_the_new_one_stays(run, tables, tmp_path):
    """The folder in which the tables are made has a name of its own."""
    own = tmp_path / "more.part" / "letter.txt"
    own.parent.mkdir()
    own.write_text("my own")
    done = run("export", "--parquet", tmp_path / "more", "--data", tmp_path / "data")
    assert (done.exit_code, own.read_text()) == (0, "my own")
    assert {path.name for path in tmp_path.iterdir()} == {
        "data",
        "games.jsonl",
        "more",
        "more.part",
        "tables",
    }


@pytest.mark.long
def test_what_was_written_can_be_counted(run, tables, tmp_path):
    there = run("stats", "--data", tables)
    assert there.exit_code == 0
    assert there.output == run("stats", "--data", tmp_path / "data").output


@pytest.mark.long
def test_the_records_come_out_of_it_as_out_of_the_database(run, tables, tmp_path):
    for name in ("tables", "data"):
        run("export", tmp_path / f"{name}.jsonl", "--data", tmp_path / name)
    lines = [
        sorted((tmp_path / f"{name}.jsonl").read_bytes().splitlines())
        for name in ("tables", "data")
    ]
    assert lines[0] == lines[1]
    assert len(lines[0]) == 3


@pytest.mark.long
def test_nothing_can_be_stored_there(run, tables, tmp_path):
    result = run("ingest", tmp_path / "games.jsonl", "--data", tables)
    assert result.exit_code == 2
    assert "holds Parquet files, which --data only reads" in " ".join(result.stderr.split())


@pytest.mark.long
def test_a_folder_with_something_in_it_and_a_choice_are_refused(run, tables, tmp_path):
    again = run("export", "--parquet", tables, "--data", tmp_path / "data")
    assert again.exit_code == 2
    assert "is not empty" in again.stderr
    some = run(
        "export", "--parquet", tmp_path / "some", "--rules", "zique", "--data", tmp_path / "data"
    )
    assert some.exit_code == 2
    assert "all games" in some.stderr


SPARK_READS = {
    None, "UTF8", "DATE", "TIMESTAMP_MICROS", "LIST", "INT_8", "INT_16", "INT_32", "INT_64", "JSON",
}  # fmt: skip
"""The converted types of Parquet that Spark has a type for; unsigned integers are not among them before 3.2."""


@pytest.mark.long
def test_every_file_has_its_sheet_and_month_inside_and_types_that_all_read(tables):
    files = sorted(tables.rglob("*.parquet"))
    assert len(files) == len({file.parent for file in files})
    for file in files:
        assert file.parent.parent == tables
        told = duckdb.sql(
            f"SELECT name, type, converted_type FROM parquet_schema('{file}')"
        ).fetchall()
        columns = {name: (kind, converted) for name, kind, converted in told}
        assert file.parent.name in WHOLE_TABLES or {"sheet", "month"} <= columns.keys()
        assert {converted for _, converted in columns.values()} <= SPARK_READS, file
    months = duckdb.sql(f"SELECT DISTINCT sheet, month FROM '{tables}/deals/*.parquet'").fetchall()
    assert months == [("zique", None)]


@pytest.mark.long
def test_pandas_reads_games_without_a_date(tables):
    pandas = pytest.importorskip("pandas")
    deals = pandas.read_parquet(tables / "deals")
    assert set(deals["sheet"]) == {"zique"}
    assert deals["month"].isna().all()
    assert str(deals["dealer"].dtype) == "int16"


@pytest.mark.long
def test_arrow_reads_games_without_a_date(tables):
    dataset = pytest.importorskip("pyarrow.dataset")
    deals = dataset.dataset(tables / "deals").to_table()
    assert deals.num_rows > 3
    assert str(deals.schema.field("month").type) == "date32[day]"


@pytest.mark.long
def test_polars_reads_games_without_a_date(tables):
    polars = pytest.importorskip("polars")
    deals = polars.scan_parquet(f"{tables}/deals/**/*.parquet").collect()
    assert deals["month"].null_count() == len(deals)
    assert str(deals["dealer"].dtype) == "Int16"


@pytest.mark.long
def test_an_export_of_before_is_still_read(run, tables, tmp_path):
    """Its files lay in folders by sheet and month, which alone told both."""
    old = tmp_path / "old"
    for table in ("deals", "games", "seats", "tricks", "scores", "cards", "findings", "records"):
        (old / table).parent.mkdir(exist_ok=True)
        duckdb.sql(
            f"COPY (FROM '{tables}/{table}/*.parquet') TO '{old / table}' (FORMAT parquet, PARTITION_BY (sheet, month))"
        )
    (old / "bezique.json").write_bytes((tables / "bezique.json").read_bytes())
    there = run("stats", "--data", old)
    assert there.exit_code == 0
    assert there.output == run("stats", "--data", tables).output
