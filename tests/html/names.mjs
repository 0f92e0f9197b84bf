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
    ["forward pass", "forward pass"],
    ["forward pass(3)", "forward pass"],
    ["operator()(int)", "operator()"],
    ["void net::Scale<float>::operator()<int>(int) const", "Scale::operator()"],
    ["net::operators::apply(int)", "apply"],
    ["train.py:30 main.<locals>.<genexpr>", "train.py:30 main.<locals>.<genexpr>"],
    ["<frozen importlib._bootstrap>:1 <module>", "<frozen importlib._bootstrap>:1 <module>"],
])
    assert.strictEqual(shortName(name), expected);

for (const [name, expected] of [
    ["leveldb::DBImpl::Get(leveldb::Slice const&)", "DBImpl::Get"],
    ["leveldb::Table<int>::Get(leveldb::Slice const&)", "Table::Get"],
    ["main", "main"],
    ["int db::find<int>(db::Key const&)", "db::find"],
    ["bool std::operator< <char>(std::string const&, std::string const&)", "std::operator<"],
    ["std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", "std::operator<<"],
    ["auto std::operator<=><int>(A const&, A const&)", "std::operator<=>"],
    ["app::Less::operator()(int, int) const", "app::Less::operator()"],
    ["std::vector<int>::operator[](unsigned long)", "std::vector::operator[]"],
    ["app::Handle<int>::operator->() const", "app::Handle::operator->"],
    ["app::Flag::operator bool() const", "app::Flag::operator bool"],
    ["operator new[](unsigned long)", "operator new[]"],
])
    assert.strictEqual(shortName(name, 2), expected);
