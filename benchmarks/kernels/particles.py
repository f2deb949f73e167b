"""Bodies that attract each other, and other systems that are moved on in small steps of time."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

G = 1.0
SOFTENING = 0.05

# -- gravity ---------------------------------------------------------------------------------------------


def accelerations(position, mass):
    """Compute the accelerations of bodies: the pairs above the diagonal, counted for both of the two."""
    i, j = np.triu_indices(len(mass), k=1)
    apart = position[j] - position[i]
    cubed = (np.sum(apart**2, axis=1) + SOFTENING**2) ** 1.5
    pull = G * apart / cubed[:, np.newaxis]
    result = np.zeros_like(position)
    np.add.at(result, i, mass[j, None] * pull)
    np.subtract.at(result, j, mass[i, None] * pull)
    return result


def energy(position, velocity, mass):
    """Kinetic and potential energy, the latter row by row."""
    kinetic = 0.5 * np.sum(mass * np.sum(velocity**2, axis=-1))
    potential = 0.0
    for i in range(len(mass) - 1):
        apart = np.sqrt(np.sum((position[i + 1 :] - position[i]) ** 2, axis=-1) + SOFTENING**2)
        potential -= G * mass[i] * np.sum(mass[i + 1 :] / apart)
    return kinetic, potential


def n_body(position, velocity, mass, steps, dt):
    """Leapfrog with half steps of the velocity; the arguments are moved on, the energies given."""
    energies = np.zeros((steps + 1, 2))
    energies[0] = energy(position, velocity, mass)
    pull = accelerations(position, mass)
    for step in range(1, steps + 1):
        velocity += 0.5 * dt * pull
        position += dt * velocity
        pull = accelerations(position, mass)
        velocity += 0.5 * dt * pull
        energies[step] = energy(position, velocity, mass)
    return energies


def bodies(size: int) -> tuple[Any, ...]:
    """Bodies at rest as a whole."""
    rng = np.random.default_rng(15)
    position, velocity = rng.normal(size=(2, size, 3))
    return position, velocity - velocity.mean(axis=0), rng.random(size), 10, 0.01


def other_bodies() -> tuple[tuple[Any, ...], ...]:
    """No step, one, a single body, two in the same place."""
    position, velocity, mass, _, dt = bodies(4)
    return (
        (position, velocity, mass, 0, dt),
        (position, velocity, mass, 1, dt),
        (position[:1], velocity[:1], mass[:1], 2, dt),
        (position * 0, velocity, mass, 2, dt),
    )


# -- ordinary differential equations ---------------------------------------------------------------------


def lorenz(t, y):
    """Lorenz' equations of convection (1963)."""
    return np.array([10.0 * (y[1] - y[0]), y[0] * (28.0 - y[2]) - y[1], y[0] * y[1] - 8.0 / 3.0 * y[2]])


def runge_kutta_step(f, t, y, h):
    """The classical step of fourth order."""
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def runge_kutta(start, end, steps):
    """The path from a start, a row for each step."""
    h = end / steps
    path = np.empty((steps + 1, start.size))
    path[0] = start
    for i in range(steps):
        path[i + 1] = runge_kutta_step(lorenz, i * h, path[i], h)
    return path


def adaptive_path(start, end, tolerance):
    """Steps of two sizes: where they differ too much the step is halved, where hardly it is doubled."""
    t, h, y = 0.0, 0.1, start
    times, path = [t], [y]
    while t < end:
        h = min(h, end - t)
        whole = runge_kutta_step(lorenz, t, y, h)
        half = runge_kutta_step(lorenz, t + h / 2, runge_kutta_step(lorenz, t, y, h / 2), h / 2)
        error = np.max(np.abs(half - whole))
        if error > tolerance:
            h /= 2
            continue
        t, y = t + h, half
        times.append(t)
        path.append(y)
        if error < tolerance / 32:
            h *= 2
    return np.array(times), np.array(path)


def steps(size: int) -> tuple[Any, ...]:
    """A start and a number of steps."""
    return np.array([1.0, 1.0, 20.0]), 1.0, size


def spans(size: int) -> tuple[Any, ...]:
    """A start and an end."""
    return np.array([1.0, 1.0, 20.0]), size / 10, 1e-4


def other_steps() -> tuple[tuple[Any, ...], ...]:
    """One step, none, whole numbers."""
    start = steps(3)[0]
    return (start, 0.1, 1), (start, 0.1, 0), (np.array([1, 2, 3]), 1, 2)


def other_spans() -> tuple[tuple[Any, ...], ...]:
    """No time, one step, whole numbers."""
    start = spans(3)[0]
    return (start, 0.0, 1e-3), (start, 0.1, 10.0), (np.array([1, 2, 3]), 1, 1e-2)


KERNELS = (
    Kernel(n_body, bodies, 4, 40, other_bodies),
    Kernel(runge_kutta, steps, 5, 200, other_steps),
    Kernel(adaptive_path, spans, 2, 20, other_spans),
)
