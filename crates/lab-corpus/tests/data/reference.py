"""Writes the references in this folder, with 60 digits and with formulas that share nothing with the Rust code.

Needs mpmath: python3 reference.py
"""

import random

from mpmath import cos, diff, exp, log, loggamma, matrix, mp, mpf, norm, pi, sin, sqrt

mp.dps = 60


def partials(f, x):
    """The gradient of f at x."""
    return [diff(lambda t: f(x[:i] + [t] + x[i + 1 :]), x[i]) for i in range(len(x))]


def text(numbers):
    return " ".join(mp.nstr(number, 20) for number in numbers)


# A Gaussian mixture, in the format of ADBench.


def objective(p, x, d, k, gamma, m):
    alphas, means, icf = p[:k], p[k : k + k * d], p[k + k * d :]
    f = d * (d + 1) // 2
    inverse_factors = []
    for c in range(k):
        q, at = matrix(d, d), d
        for i in range(d):
            q[i, i] = exp(icf[c * f + i])
            for j in range(i + 1, d):
                q[j, i] = icf[c * f + at]
                at += 1
        inverse_factors.append(q)
    total = mpf(0)
    weights = sum(exp(a) for a in alphas)
    for point in x:
        density = mpf(0)
        for c in range(k):
            q = inverse_factors[c]
            white = q * matrix([point[i] - means[c * d + i] for i in range(d)])
            determinant = mpf(1)
            for i in range(d):
                determinant *= q[i, i]
            normal = determinant / (2 * pi) ** (mpf(d) / 2) * exp(-norm(white) ** 2 / 2)
            density += exp(alphas[c]) / weights * normal
        total += log(density)
    for c in range(k):
        q = inverse_factors[c]
        squares = sum(q[i, j] ** 2 for i in range(d) for j in range(i + 1))
        logarithms = sum(icf[c * f + i] for i in range(d))
        freedom = d + m + 1
        multigamma = d * (d - 1) * log(pi) / 4 + sum(loggamma((freedom - i) / mpf(2)) for i in range(d))
        constant = freedom * d * (log(gamma) - log(mpf(2)) / 2) - multigamma
        total += gamma**2 / 2 * squares - m * logarithms - constant
    return total


def mixture(d, k, n, gamma, m):
    draw = random.Random(1)
    number = lambda: round(draw.uniform(-1, 1.5), 6)
    p = [number() for _ in range(k * (1 + d + d * (d + 1) // 2))]
    x = [[number() for _ in range(d)] for _ in range(n)]
    with open(f"gmm_d{d}_K{k}.txt", "w") as file:
        rows = [(0, k, 1), (k, k + k * d, d), (k + k * d, len(p), d * (d + 1) // 2)]
        print(d, k, n, file=file)
        for start, end, width in rows:
            for i in range(start, end, width):
                print(*p[i : i + width], file=file)
        for point in x:
            print(*point, file=file)
        print(gamma, m, file=file)
    exact = [mpf(str(number)) for number in p]
    points = [[mpf(str(number)) for number in point] for point in x]
    f = lambda p: objective(p, points, d, k, mpf(str(gamma)), m)
    with open(f"gmm_d{d}_K{k}.gradient.txt", "w") as file:
        print(text([f(exact)]), file=file)
        print(text(partials(f, exact)), file=file)


# Bundle adjustment: camera, point, weight and feature; residual; both rows of the Jacobian.


def residual(p, feature):
    r, centre, (focal, u, v, k1, k2), point, weight = p[:3], p[3:6], p[6:11], p[11:14], p[14]
    x = [point[i] - centre[i] for i in range(3)]
    square = sum(a * a for a in r)
    angle = sqrt(square)
    sinc = sin(angle) / angle if square != 0 else mpf(1)
    versine = (1 - cos(angle)) / square if square != 0 else mpf(1) / 2
    cross = [r[1] * x[2] - r[2] * x[1], r[2] * x[0] - r[0] * x[2], r[0] * x[1] - r[1] * x[0]]
    inner = sum(r[i] * x[i] for i in range(3))
    y = [x[i] * cos(angle) + sinc * cross[i] + versine * inner * r[i] for i in range(3)]
    image = [y[0] / y[2], y[1] / y[2]]
    radius = image[0] ** 2 + image[1] ** 2
    bend = 1 + k1 * radius + k2 * radius**2
    return [weight * (image[0] * bend * focal + u - feature[0]), weight * (image[1] * bend * focal + v - feature[1])]


def observations(count):
    draw = random.Random(2)
    with open("ba.txt", "w") as file:
        for n in range(count):
            number = lambda low, high: round(draw.uniform(low, high), 6)
            # The first camera is not turned at all.
            size = [0, 1e-5, 1, 3][min(n, 3)]
            r = [size * number(-1, 1) for _ in range(3)]
            centre = [number(-1, 1), number(-1, 1), number(-6, -4)]
            lens = [number(400, 600), number(-5, 5), number(-5, 5), number(-0.1, 0.1), number(-0.01, 0.01)]
            p = r + centre + lens + [number(-1, 1), number(-1, 1), number(-1, 1), number(0, 1)]
            feature = [number(-200, 200), number(-200, 200)]
            exact, place = [mpf(a) for a in p], [mpf(a) for a in feature]
            rows = [partials(lambda p: residual(p, place)[i], exact) for i in range(2)]
            print(*p, *feature, text(residual(exact, place) + rows[0] + rows[1]), file=file)


mixture(2, 3, 5, 0.7, 2)
observations(6)
