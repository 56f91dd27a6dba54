import io

import matplotlib
import numpy as np
import pytest

import closedchain as cc
from closedchain.results import dataset


def result():
    """A crank angle, a slider length and a planar point over three instants."""
    return dataset(
        {"q": np.arange(6.0).reshape(3, 2), "position": np.arange(6.0).reshape(3, 1, 2), "closure": np.zeros(3)},
        {
            "time": [0.0, 0.5, 1.0],
            "coordinate": ["A", "arm.1"],
            "point": ["tip"],
            "axis": ["x", "y"],
        },
        analysis="kinematics",
        label_units={"coordinate": ["rad", "m"]},
    )


def curves(figure):
    """Panel label -> {curve label: values}."""
    return {
        ax.get_ylabel(): {str(line.get_label()): list(np.asarray(line.get_ydata())) for line in ax.lines}
        for ax in figure.axes
    }


def test_one_panel_per_variable_and_unit():
    figure = cc.plot.channels(result(), ["q", "position"])
    assert curves(figure) == {
        "q [rad]": {"A": [0.0, 2.0, 4.0]},
        "q [m]": {"arm.1": [1.0, 3.0, 5.0]},
        "position [m]": {"tip x": [0.0, 2.0, 4.0], "tip y": [1.0, 3.0, 5.0]},
    }
    assert figure.axes[-1].get_xlabel() == "time [s]"


@pytest.mark.parametrize(
    ("names", "select", "expected"),
    [
        ("q.arm.1", None, {"q [m]": {"arm.1": [1.0, 3.0, 5.0]}}),
        ("position.tip.x", None, {"position [m]": {"tip x": [0.0, 2.0, 4.0]}}),
        ("position", {"axis": "y"}, {"position [m]": {"tip y": [1.0, 3.0, 5.0]}}),
        (["position.tip.x", "position.tip.x"], None, {"position [m]": {"tip x": [0.0, 2.0, 4.0]}}),
    ],
)
def test_labels_pick_curves(names, select, expected):
    assert curves(cc.plot.channels(result(), names, select=select)) == expected


def test_wrong_names_say_what_there_is():
    with pytest.raises(cc.ClosedChainError, match="it has q, position, closure"):
        cc.plot.channels(result(), "speed")
    with pytest.raises(cc.ClosedChainError, match=r"coordinate: A, arm\.1"):
        cc.plot.channels(result(), "q.B")
    with pytest.raises(cc.ClosedChainError, match="Nothing to draw"):
        cc.plot.channels(result(), "q", select={"coordinate": "none"})


def test_widths_are_those_of_printed_columns():
    assert cc.plot.channels(result(), "q", width="one-column").get_figwidth() == pytest.approx(3.35)
    assert cc.plot.channels(result(), "q", width=5).get_figwidth() == 5
    with pytest.raises(ValueError, match="one-column"):
        cc.plot.channels(result(), "q", width="wide")


def test_curves_differ_in_colour_or_dash():
    many = dataset(
        {"q": np.zeros((2, 20))},
        {"time": [0.0, 1.0], "coordinate": [f"j{number}" for number in range(20)]},
        analysis="kinematics",
    )
    lines = cc.plot.channels(many, "q").axes[0].lines
    assert len({(str(line.get_color()), str(line._dash_pattern)) for line in lines}) == 20  # type: ignore[attr-defined]


def test_settings_of_the_user_stand_and_names_are_text():
    before = dict(matplotlib.rcParams)
    ds = result().assign_coords(point=["$x^2$"], axis=["_", "y"])
    figure = cc.plot.channels(ds, "position", title=r"cost $5 \alpha")
    picture = io.BytesIO()
    figure.savefig(picture, format="svg")
    assert dict(matplotlib.rcParams) == before
    legend = figure.axes[0].get_legend()
    assert legend is not None
    assert legend.get_texts()[0].get_text() == r"\$x^2\$ _"


def test_results_of_unusual_content_draw_what_there_is():
    figure = cc.plot.FIGURES["channels"].of_result(result(), [])
    assert [ax.get_ylabel() for ax in figure.axes] == ["q [rad]", "q [m]", "position [m]"]
