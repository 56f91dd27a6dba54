import importlib.util

import numpy as np
import pandas as pd
import pytest

import closedchain as cc
from closedchain.results import dataset


def loose(contacts=2):
    """A result with booleans, strings, empty and labelled dimensions, in memory that is not contiguous."""
    return dataset(
        {
            "q": np.arange(6.0).reshape(2, 3).T,
            "in_contact": np.array([[True], [False], [True]]),
            "body_rotation": np.zeros((3, 0, 3, 3)),
            "contact_joint": np.array(["B", "Gelenk-ü"][:contacts], dtype=object),
            "contact_time": np.linspace(0.1, 0.2, contacts),
        },
        {
            "time": [0.0, 0.5, 1.0],
            "coordinate": ["A", "S"],
            "loose_joint": ["B"],
            "body": [],
            "axis": ["x", "y", "z"],
        },
        analysis="simulate",
        mechanism='[mechanism]\nname = "Zähler"\n',
        settings={"until": 1.0},
        label_units={"coordinate": ["rad", "m"]},
    )


@pytest.mark.parametrize("contacts", [0, 2])
def test_netcdf_keeps_everything(tmp_path, contacts):
    ds = loose(contacts)
    again = cc.load_result(cc.save(ds, tmp_path / "deep" / "result.nc"))
    assert again.identical(ds)
    assert again.in_contact.dtype == bool
    assert {name: again[name].dtype.kind for name in again.variables} == {
        name: ds[name].dtype.kind for name in ds.variables
    }


def test_a_file_can_be_replaced_while_its_result_is_in_use(tmp_path):
    path = cc.save(loose(), tmp_path / "result.nc")
    first = cc.load_result(path)
    cc.save(loose(0), path)
    assert first.sizes["contact"] == 2
    assert cc.load_result(path).sizes["contact"] == 0


def test_csv_has_one_row_per_instant_and_names_with_units(tmp_path):
    path = cc.save(loose(), tmp_path / "result.csv")
    table = pd.read_csv(path, index_col="time")
    assert list(table.columns) == ["q.A [rad]", "q.S [m]", "in_contact.B [1]"]
    assert list(table["q.S [m]"]) == [3.0, 4.0, 5.0]
    contacts = pd.read_csv(tmp_path / "result.contact.csv")
    assert list(contacts["contact_time [s]"]) == [0.1, 0.2]
    assert list(contacts["contact_joint"]) == ["B", "Gelenk-ü"]


def test_csv_of_a_sweep_is_indexed_by_the_swept_value(tmp_path):
    labels = {"parameters.l": [1.0, 2.0], "time": [0.0, 1.0], "coordinate": ["A"]}
    ds = dataset({"q": np.arange(4.0).reshape(2, 2, 1)}, labels, analysis="kinematics")
    table = pd.read_csv(cc.save(ds, tmp_path / "sweep.csv"))
    assert list(table.columns) == ["parameters.l", "time", "q.A"]
    assert list(table["q.A"]) == [0.0, 1.0, 2.0, 3.0]


def test_parquet_or_the_sentence_that_says_what_to_install(tmp_path):
    path = tmp_path / "result.parquet"
    if importlib.util.find_spec("pyarrow"):
        assert list(pd.read_parquet(cc.save(loose(), path))["q.S [m]"]) == [3.0, 4.0, 5.0]
    else:
        with pytest.raises(cc.ClosedChainError, match="pip install pyarrow"):
            cc.save(loose(), path)


def test_wrong_files_are_sentences(tmp_path):
    with pytest.raises(cc.ClosedChainError, match=r"\.nc, \.csv, \.parquet"):
        cc.save(loose(), tmp_path / "result.xlsx")
    (tmp_path / "text.nc").write_text("hello")
    with pytest.raises(cc.ClosedChainError, match="not a result"):
        cc.load_result(tmp_path / "text.nc")


def test_tables_are_those_of_the_files(tmp_path):
    ds = loose()
    cc.save(ds, tmp_path / "result.csv")
    for rows, name in (("", "result.csv"), ("contact", "result.contact.csv")):
        table = cc.table(ds, rows)
        read = pd.read_csv(tmp_path / name, index_col=0)
        pd.testing.assert_frame_equal(table, read, check_dtype=False)
    with pytest.raises(cc.ClosedChainError, match=r"no rows 'contacts'; it has 'contact'"):
        cc.table(ds, "contacts")
