import pickle

import pytest

import closedchain as cc


def test_mechanism_error_lists_every_finding_with_place_and_remedy():
    findings = [
        cc.Finding(
            "joints.B.clearance.radial", "-0.2 mm is not positive.", "Give the radius difference of bore and pin."
        ),
        cc.Finding("bodies.rod.mass", "-1 kg is negative."),
    ]
    error = cc.MechanismError(findings, "four_bar.toml")
    lines = str(error).splitlines()
    assert lines[0] == "2 mistakes in four_bar.toml:"
    assert lines[1] == (
        "  joints.B.clearance.radial: -0.2 mm is not positive. Give the radius difference of bore and pin."
    )
    assert error.findings[1].place == "bodies.rod.mass"
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)


@pytest.mark.parametrize("name", ["MechanismError", "AssemblyError", "SingularConfigurationError", "IntegrationError"])
def test_every_error_is_a_closedchain_error(name):
    assert issubclass(getattr(cc, name), cc.ClosedChainError)


def test_a_mistake_in_a_question_is_a_plain_sentence():
    assert str(cc.MechanismError("there is no joint Q.")) == "there is no joint Q."
