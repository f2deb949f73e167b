"""Programs that keep their state in objects, as people write them: what `benchmarks.objects` times.

They know nothing of astrace.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

# -- filters -----------------------------------------------------------------------------------------------


class Ema:
    """A moving average that forgets; the first item begins it."""

    def __init__(self, alpha):
        self.alpha = alpha
        self.value = None

    def update(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.alpha * x + (1 - self.alpha) * self.value
        return self.value


def ema(average, x):
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = average.update(x[i])
    return out


class Biquad:
    """A filter of second order that keeps two items of each side."""

    def __init__(self, b, a):
        self.b0, self.b1, self.b2 = b
        self.a1, self.a2 = a
        self.x1 = self.x2 = self.y1 = self.y2 = 0.0

    def process(self, x):
        y = self.b0 * x + self.b1 * self.x1 + self.b2 * self.x2 - self.a1 * self.y1 - self.a2 * self.y2
        self.x2, self.x1 = self.x1, x
        self.y2, self.y1 = self.y1, y
        return y


def biquad(section, x):
    return np.array([section.process(item) for item in x])


class Kalman:
    """Two states, of which one is measured."""

    def __init__(self, f, h, q, r):
        self.f, self.h, self.q, self.r = f, h, q, r
        self.x = np.zeros((f.shape[0], 1))
        self.p = np.eye(f.shape[0])

    def predict(self):
        self.x = self.f @ self.x
        self.p = self.f @ self.p @ self.f.T + self.q

    def update(self, z):
        innovation = z - self.h @ self.x
        s = self.h @ self.p @ self.h.T + self.r
        gain = self.p @ self.h.T @ np.linalg.inv(s)
        self.x = self.x + gain @ innovation
        self.p = (np.eye(self.p.shape[0]) - gain @ self.h) @ self.p


def kalman(tracker, measured):
    out = np.empty(len(measured))
    for i, z in enumerate(measured):
        tracker.predict()
        tracker.update(z)
        out[i] = tracker.x[0, 0]
    return out


class Ring:
    """The last items, in a buffer that is written round and round."""

    def __init__(self, size):
        self.buffer = np.zeros(size)
        self.place = 0
        self.full = False

    def put(self, value):
        self.buffer[self.place] = value
        self.place += 1
        if self.place == len(self.buffer):
            self.place = 0
            self.full = True

    def mean(self):
        return self.buffer.mean() if self.full else self.buffer[: self.place].mean()


def ring(window, x):
    out = np.zeros(len(x))
    for k in range(len(x)):
        window.put(x[k])
        out[k] = window.mean()
    return out


class Welford:
    """The mean and the variance of what has been seen."""

    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def add(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)

    @property
    def variance(self):
        return self.m2 / (self.n - 1) if self.n > 1 else float("nan")


def welford(moments, x):
    out = np.zeros_like(x)
    for i, value in enumerate(x):
        moments.add(value)
        out[i] = moments.variance
    return out


# -- learners ----------------------------------------------------------------------------------------------


class Perceptron:
    """One neuron; `errors` counts those of each epoch."""

    def __init__(self, rate, epochs):
        self.rate = rate
        self.epochs = epochs

    def fit(self, x, y):
        self.w = np.zeros(1 + x.shape[1])
        self.errors = []
        for _ in range(self.epochs):
            errors = 0
            for xi, target in zip(x, y):
                update = self.rate * (target - self.predict(xi))
                self.w[1:] += update * xi
                self.w[0] += update
                errors += int(update != 0.0)
            self.errors.append(errors)
        return self

    def predict(self, x):
        return np.where(np.dot(x, self.w[1:]) + self.w[0] >= 0.0, 1, -1)


def perceptron(model, x, y):
    model.fit(x, y)
    return model.w


class Adam:
    """An optimiser, whose moments are made at the first step."""

    def __init__(self, rate=0.01, b1=0.9, b2=0.999, eps=1e-8):
        self.rate, self.b1, self.b2, self.eps = rate, b1, b2, eps
        self.m = None
        self.v = None
        self.t = 0

    def step(self, w, g):
        if self.m is None:
            self.m = np.zeros_like(w)
            self.v = np.zeros_like(w)
        self.t += 1
        self.m = self.b1 * self.m + (1 - self.b1) * g
        self.v = self.b2 * self.v + (1 - self.b2) * g**2
        m = self.m / (1 - self.b1**self.t)
        v = self.v / (1 - self.b2**self.t)
        return w - self.rate * m / (np.sqrt(v) + self.eps)


def adam(optimiser, x, y, w, steps):
    for _ in range(steps):
        w = optimiser.step(w, x.T @ (x @ w - y) / len(y))
    return w


class Agent:
    """Learns the values of two actions by trying them."""

    def __init__(self, states, rng):
        self.values = np.zeros((states, 2))
        self.rng = rng
        self.curiosity = 0.2

    def act(self, state):
        if self.rng.random() < self.curiosity:
            return self.rng.integers(2)
        return np.argmax(self.values[state])

    def learn(self, state, action, reward, following):
        target = reward + 0.9 * self.values[following].max()
        self.values[state, action] += 0.1 * (target - self.values[state, action])


def walk(agent, episodes):
    total = 0.0
    for _ in range(episodes):
        state = 0
        for _ in range(60):
            action = agent.act(state)
            following = min(max(state + (1 if action == 1 else -1), -4), 4)
            reward = 1.0 if following == 4 else -0.1
            agent.learn(state, action, reward, following)
            total += reward
            if following == 4:
                break
            state = following
        agent.curiosity *= 0.99
    return total


class KMeans:
    """Centres, moved to the mean of what is nearest to each."""

    def __init__(self, count, steps):
        self.count = count
        self.steps = steps

    def fit(self, x):
        self.centres = x[: self.count].copy()
        for step in range(self.steps):
            distances = ((x[:, None, :] - self.centres[None]) ** 2).sum(axis=2)
            self.labels = distances.argmin(axis=1)
            moved = np.array([x[self.labels == j].mean(axis=0) for j in range(self.count)])
            if np.allclose(moved, self.centres):
                break
            self.centres = moved
        self.took = step
        return self


def clusters(model, x):
    model.fit(x)
    return model.centres


# -- simulations -------------------------------------------------------------------------------------------


@dataclass
class Pendulum:
    """An angle and its rate, by Runge and Kutta's steps."""

    theta: float
    omega: float
    t: float = 0.0
    g: float = 9.81
    length: float = 1.0

    def rates(self, theta, omega):
        return omega, -self.g / self.length * math.sin(theta)

    def step(self, dt):
        k1 = self.rates(self.theta, self.omega)
        k2 = self.rates(self.theta + dt / 2 * k1[0], self.omega + dt / 2 * k1[1])
        k3 = self.rates(self.theta + dt / 2 * k2[0], self.omega + dt / 2 * k2[1])
        k4 = self.rates(self.theta + dt * k3[0], self.omega + dt * k3[1])
        self.theta += dt / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        self.omega += dt / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        self.t += dt


def pendulum(body, steps, dt):
    out = np.zeros(steps)
    for i in range(steps):
        body.step(dt)
        out[i] = body.theta
    return out


class Oscillator:
    """Its history is kept in lists."""

    def __init__(self):
        self.t = 0.0
        self.x = 1.0
        self.v = 0.0
        self.places = []
        self.times = []

    def step(self, dt):
        self.v += (-self.x - 0.1 * self.v) * dt
        self.x += self.v * dt
        self.t += dt

    def run(self, steps, dt):
        for _ in range(steps):
            self.step(dt)
            self.places.append(self.x)
            self.times.append(self.t)
        return np.array(self.places)


def oscillator(body, steps):
    return body.run(steps, 0.01)


class Heat:
    """A plate that is warm in the middle."""

    def __init__(self, size, alpha, dt):
        self.u = np.zeros((size, size))
        self.u[size // 2, size // 2] = 100.0
        self.alpha, self.dt = alpha, dt
        self.t = 0.0
        self.steps = 0

    def step(self):
        u = self.u
        flow = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        self.u[1:-1, 1:-1] += self.alpha * self.dt * flow
        self.t += self.dt
        self.steps += 1


def heat(plate, steps):
    for _ in range(steps):
        plate.step()
    return plate.u


class Ising:
    """Spins that turn over by chance."""

    def __init__(self, size, beta, rng):
        self.size = size
        self.beta = beta
        self.rng = rng
        self.spins = np.where(rng.random((size, size)) < 0.5, 1, -1)
        self.energy = 0.0
        self.accepted = 0

    def sweep(self):
        n = self.size
        for _ in range(n * n):
            i = self.rng.integers(n)
            j = self.rng.integers(n)
            s = self.spins[i, j]
            around = self.spins[(i + 1) % n, j] + self.spins[i - 1, j]
            around += self.spins[i, (j + 1) % n] + self.spins[i, j - 1]
            change = 2 * s * around
            if change <= 0 or self.rng.random() < math.exp(-self.beta * change):
                self.spins[i, j] = -s
                self.energy += change
                self.accepted += 1


def ising(lattice, sweeps):
    for _ in range(sweeps):
        lattice.sweep()
    return lattice.energy


class Congruence:
    """Random numbers by a product and a remainder."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (1103515245 * self.state + 12345) % 2**31
        return self.state / 2**31


def quarter(numbers, count):
    inside = 0
    for _ in range(count):
        x = numbers.next()
        y = numbers.next()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / count


class Swarm:
    """Particles that look for the least value together."""

    def __init__(self, size, axes, rng):
        self.rng = rng
        self.x = rng.uniform(-5, 5, (size, axes))
        self.v = np.zeros((size, axes))
        self.best = self.x.copy()
        self.values = self.cost(self.x)
        self.leader = self.best[self.values.argmin()].copy()
        self.least = self.values.min()

    def cost(self, x):
        return (x**2).sum(axis=1)

    def step(self):
        own = self.rng.random(self.x.shape)
        common = self.rng.random(self.x.shape)
        self.v = 0.7 * self.v + 1.5 * own * (self.best - self.x) + 1.5 * common * (self.leader - self.x)
        self.x = self.x + self.v
        costs = self.cost(self.x)
        better = costs < self.values
        self.best[better] = self.x[better]
        self.values[better] = costs[better]
        if self.values.min() < self.least:
            self.least = self.values.min()
            self.leader = self.best[self.values.argmin()].copy()


def swarm(particles, steps):
    for _ in range(steps):
        particles.step()
    return particles.least


class Ball:
    """Bounces in a square."""

    def __init__(self, x, y, vx, vy):
        self.x, self.y, self.vx, self.vy = x, y, vx, vy

    def move(self, dt):
        self.x += self.vx * dt
        self.y += self.vy * dt
        if self.x < 0 or self.x > 1:
            self.vx = -self.vx
        if self.y < 0 or self.y > 1:
            self.vy = -self.vy


def balls(bodies, steps, dt):
    for _ in range(steps):
        for body in bodies:
            body.move(dt)
    return sum(body.x for body in bodies)


def descend(parameters, gradients, steps):
    """Parameters in a dictionary."""
    for _ in range(steps):
        for name in parameters:
            parameters[name] = parameters[name] - 0.1 * gradients[name]
    return parameters


# -- arguments ---------------------------------------------------------------------------------------------


def numbers(size: int) -> Any:
    """As many random numbers."""
    return np.random.default_rng(0).random(size)


def of_perceptron() -> tuple[Any, ...]:
    """A model, points and the side on which each lies."""
    x = np.random.default_rng(0).normal(size=(100, 4))
    return Perceptron(0.01, 10), x, np.where(x[:, 0] > 0, 1, -1)


def of_adam() -> tuple[Any, ...]:
    """An optimiser and a problem of least squares."""
    rng = np.random.default_rng(0)
    return Adam(), rng.normal(size=(50, 3)), rng.normal(size=50), np.zeros(3), 50


def of_kalman() -> tuple[Any, ...]:
    """A tracker and what is measured."""
    tracker = Kalman(
        np.array([[1, 0.1], [0, 1.0]]), np.array([[1.0, 0]]), np.eye(2) * 0.01, np.array([[0.5]])
    )
    return tracker, np.sin(np.arange(300) * 0.1)


def of_descend() -> tuple[Any, ...]:
    """Two parameters and their gradients."""
    rng = np.random.default_rng(0)
    parameters, gradients = ({"w": rng.random((4, 3)), "b": rng.random(4)} for _ in range(2))
    return parameters, gradients, 20


PROGRAMS: Final[dict[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = {
    ema: lambda: (Ema(0.1), np.sin(np.arange(400.0))),
    biquad: lambda: (Biquad((0.1, 0.2, 0.1), (-0.5, 0.2)), np.sin(np.arange(400) * 0.1)),
    kalman: of_kalman,
    ring: lambda: (Ring(10), numbers(200)),
    welford: lambda: (Welford(), numbers(300)),
    perceptron: of_perceptron,
    adam: of_adam,
    walk: lambda: (Agent(9, np.random.default_rng(0)), 20),
    clusters: lambda: (KMeans(3, 20), np.random.default_rng(0).normal(size=(200, 2))),
    pendulum: lambda: (Pendulum(1.0, 0.0), 300, 0.01),
    oscillator: lambda: (Oscillator(), 300),
    heat: lambda: (Heat(30, 0.1, 0.1), 50),
    ising: lambda: (Ising(10, 0.4, np.random.default_rng(0)), 5),
    quarter: lambda: (Congruence(42), 1000),
    swarm: lambda: (Swarm(20, 3, np.random.default_rng(0)), 30),
    balls: lambda: ([Ball(*row) for row in np.random.default_rng(0).random((40, 4)).tolist()], 50, 0.01),
    descend: of_descend,
}
"""The programs, and fresh arguments for each."""
