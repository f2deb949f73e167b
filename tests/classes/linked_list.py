"""A linked list."""


class Node:
    def __init__(self, v, nxt=None):
        self.v, self.next = v, nxt


class LinkedList:
    def __init__(self):
        self.head = None
        self.n = 0

    def push(self, v):
        self.head = Node(v, self.head)
        self.n += 1
        return self

    def __iter__(self):
        c = self.head
        while c:
            yield c.v
            c = c.next

    def reverse(self):
        p, c = None, self.head
        while c:
            c.next, p, c = p, c, c.next
        self.head = p
        return self

    def __len__(self):
        return self.n

    def remove(self, v):
        c, p = self.head, None
        while c is not None:
            if c.v == v:
                if p is None:
                    self.head = c.next
                else:
                    p.next = c.next
                self.n -= 1
                return True
            p, c = c, c.next
        return False


def use(x):
    l = LinkedList().push(1).push(x).push(3)
    return list(l), list(l.reverse()), l.remove(x), l.remove(99), list(l), len(l), bool(LinkedList())
