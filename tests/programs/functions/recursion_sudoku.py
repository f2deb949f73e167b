"""A search that goes back: the board is changed by calls that are left to plain Python."""


def find(grid):
    for r in range(4):
        for c in range(4):
            if grid[r][c] == 0:
                return r, c
    return None


def valid(grid, r, c, v):
    for i in range(4):
        if grid[r][i] == v or grid[i][c] == v:
            return False
    return True


def solve2(grid):
    p = find(grid)
    if p is None:
        return True
    r, c = p
    for v in range(1, 5):
        if valid(grid, r, c, v):
            grid[r][c] = v
            if solve2(grid):
                return True
            grid[r][c] = 0
    return False


def sudoku(n):
    grid = [[1, 0, 0, 0], [0, 0, 0, 2], [0, 3, 0, 0], [0, 0, 0, n]]

    def ok(r, c, v):
        for i in range(4):
            if grid[r][i] == v or grid[i][c] == v:
                return False
        r0, c0 = r // 2 * 2, c // 2 * 2
        return all(grid[r0 + i][c0 + j] != v for i in range(2) for j in range(2))

    def solve():
        for r in range(4):
            for c in range(4):
                if grid[r][c] == 0:
                    for v in range(1, 5):
                        if ok(r, c, v):
                            grid[r][c] = v
                            if solve():
                                return True
                            grid[r][c] = 0
                    return False
        return True

    return solve(), grid


def sudoku2(n):
    g = [[0, 0, 3, 4], [3, 4, 0, 0], [0, 0, n, 0], [4, 0, 0, 1]]
    return solve2(g), g


def f(n):
    return sudoku(n), sudoku2(n)


CALLS = [(1,), (2,)]
PLAIN = "AT203"
