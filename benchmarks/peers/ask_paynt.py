"""Ask PAYNT about a stochastic game: `.venv-peers/bin/python ask_paynt.py MODEL.prism FORMULA`."""

from __future__ import annotations

import sys

import payntbind
import stormpy

program = stormpy.parse_prism_program(sys.argv[1])
(asked,) = stormpy.parse_properties(sys.argv[2], program)
model = stormpy.build_model(program, [asked])
answer = payntbind.synthesis.model_check_smg(
    model,
    asked.get_raw_formula(),
    only_initial_states=False,
    set_produce_schedulers=False,
    env=stormpy.Environment(),
)
print(answer.get_value(model.initial_states[0]))
