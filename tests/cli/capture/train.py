"""Trains a network of the torch in the folder `fake`: train.py [ITERATIONS] [half]"""
import sys

import torch


class Net(torch.nn.Module):
    def __init__(self):
        self.first = torch.nn.Linear(16, 32)
        self.last = torch.nn.Linear(32, 8)

    def forward(self, x):
        return self.last(torch.relu(self.first(x)))


def main():
    net = Net()
    optimizer = torch.optim.SGD([net.first.weight, net.last.weight])
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1):
        x = torch.zeros(4, 16)
        net(x).backward()
        optimizer.step()


main()
