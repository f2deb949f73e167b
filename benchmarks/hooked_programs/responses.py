"""Responses of a linear system to many inputs, as in a search for a controller: control."""

import control
import numpy as np

A = np.array([[0.0, 1.0, 0, 0], [-2, -0.5, 1, 0], [0, 0, 0, 1], [1, 0, -3, -0.4]])
B = np.array([[0.0], [1], [0], [0.5]])
C = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]])
times = np.linspace(0, 40, 8001)
total = np.float64(0.0)
for k in range(200):
    system = control.ss(A - 0.01 * k * B @ C[:1], B, C, np.zeros((2, 1)))
    response = control.forced_response(system, times, np.sin((1 + k / 10) * times))
    total += response.outputs.sum()
print(float(total).hex())
