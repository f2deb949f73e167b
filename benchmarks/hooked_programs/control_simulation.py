"""Responses of a linear and of a nonlinear system: control."""

import control
import numpy as np

A = np.array([[0.0, 1.0, 0, 0], [-2, -0.5, 1, 0], [0, 0, 0, 1], [1, 0, -3, -0.4]])
B = np.array([[0.0], [1], [0], [0.5]])
C = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]])
system = control.ss(A, B, C, np.zeros((2, 1)))
times = np.linspace(0, 40, 8001)
total = np.float64(0.0)
for k in range(25):
    response = control.forced_response(system, times, np.sin((1 + k / 10) * times))
    total += response.outputs.sum()


def pendulum(_time, x, u, params):
    return np.array([x[1], -9.81 * np.sin(x[0]) - params.get("damping", 0.1) * x[1] + u[0]])


plant = control.nlsys(pendulum, None, inputs=1, outputs=2, states=2, name="plant")
for k in range(4):
    response = control.input_output_response(
        plant, np.linspace(0, 10, 1001), np.cos(np.linspace(0, 10, 1001)), [0.1 * k, 0.0]
    )
    total += response.states.sum()
print(float(total).hex())
