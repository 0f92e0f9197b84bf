// Names as the page shortens them. Without a browser: node runs the page's own format.js.
//
//     node names.mjs FORMAT_JS
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

const shortName = runInNewContext(`${readFileSync(process.argv[2], "utf8")}\nshortName`);

for (const [name, expected] of [
    ["void net::convolve<float, 3>(float const*, int)", "convolve"],
    ["stream_executor::gpu::(anonymous namespace)::RedzoneAllocatorKernel(unsigned char*)", "RedzoneAllocatorKernel"],
    ["(anonymous namespace)::add(int*)", "add"],
    ["triton_poi_fused_add_0", "triton_poi_fused_add_0"],
    ["operator()(int)", "operator()(int)"],
    ["train.py:30 main.<locals>.<genexpr>", "train.py:30 main.<locals>.<genexpr>"],
    ["<frozen importlib._bootstrap>:1 <module>", "<frozen importlib._bootstrap>:1 <module>"],
])
    assert.strictEqual(shortName(name), expected);

for (const [name, expected] of [
    ["leveldb::DBImpl::Get(leveldb::Slice const&)", "DBImpl::Get"],
    ["leveldb::Table<int>::Get(leveldb::Slice const&)", "Table::Get"],
    ["main", "main"],
    ["operator()(int)", "operator()(int)"],
])
    assert.strictEqual(shortName(name, 2), expected);
