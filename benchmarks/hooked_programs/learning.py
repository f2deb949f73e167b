"""A forest, a regression and the ranks of a graph: scikit-learn and networkx."""

import networkx as nx
import numpy as np
from sklearn.datasets import make_regression
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler

x, y = make_regression(400, 20, random_state=0)
x = StandardScaler().fit_transform(x)
scores = [cross_val_score(Ridge(alpha=a), x, y).mean() for a in np.logspace(-2, 2, 10)]
forest = RandomForestRegressor(20, random_state=0).fit(x, y)
graph = nx.gnp_random_graph(300, 0.05, seed=0)
ranks = nx.pagerank(graph)
layout = nx.spring_layout(graph, seed=0, iterations=30)
total = sum(scores) + forest.predict(x).sum() + max(ranks.values()) + sum(p[0] for p in layout.values())
print(np.float64(total).hex())
