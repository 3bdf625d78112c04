import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatch

/// Programs that want more than they get, and those that want out.
enum Hostile {
  /// Each of these must be stopped by a limit or by an error of Lua, or end by itself.
  static let programs: [String] = [
    #"while true do end"#,
    #"for i = 1, math.huge do end"#,
    #"local function f() return f() end f()"#,
    #"local function f() return 1 + f() end f()"#,
    #"while true do pcall(error) end"#,
    #"while true do pcall(function() while true do end end) end"#,
    #"local function f() while true do pcall(f) end end f()"#,
    #"local function f() pcall(f) pcall(f) pcall(f) end f()"#,
    #"local t = {} while true do t[#t + 1] = {} end"#,
    #"local s = 'x' while true do s = s .. s end"#,
    #"local s = 'x' while true do pcall(function() s = s .. s end) end"#,
    #"local t = {} for i = 1, 1e9 do t[i] = i end"#,
    #"local t = {} while true do t[{}] = {} end"#,
    #"return string.rep('', 1 << 62)"#,
    #"return string.rep('x', 1 << 40)"#,
    #"while true do string.rep('x', 1000000) end"#,
    #"return ('x'):rep(1e6, ('y'):rep(1e6))"#,
    #"return string.format('%99999d', 1)"#,
    #"return string.format('%p', {})"#,
    #"while true do string.format('%099.99f', 1e308) end"#,
    #"local s = ('x'):rep(900000) while true do local u = s:upper() end"#,
    #"local s = ('x'):rep(900000) while true do local u = s:reverse() == s end"#,
    #"local s = ('a'):rep(512) return s:find('.-.-.-b')"#,
    #"local s = ('a'):rep(100000) return s:find('.-b')"#,
    #"local s = ('a'):rep(10000) return s:match('(a*)*(a*)*(a*)*b')"#,
    #"local s = ('a'):rep(900) return s:match(('a?'):rep(190) .. ('a'):rep(190) .. 'b')"#,
    #"local s = ('('):rep(100000) while true do s:match('%b()') end"#,
    #"local s = ('a'):rep(100000) while true do s:gsub('a', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbb') end"#,
    #"local s = ('a'):rep(100000) return s:gsub('', ('x'):rep(1000))"#,
    #"return ('a'):rep(3000):gsub('a', function() while true do end end)"#,
    #"for w in ('a'):rep(100000):gmatch('.-.-b') do end"#,
    #"return ('x'):find(('['):rep(100000))"#,
    #"return ('x'):rep(1000):find(('[x'):rep(10000) .. ']*y')"#,
    #"return table.move({}, 1, 1 << 62, 2)"#,
    #"return table.move({}, 1, 5e8, 2)"#,
    #"local t = setmetatable and {} or {} for i = 1, 100000 do t[i] = i end while true do table.insert(t, 1, 0) end"#,
    #"local t = {} for i = 1, 100000 do t[i] = i end while true do table.remove(t, 1) t[#t + 1] = 1 end"#,
    #"return table.concat({}, 'x', 1, 1 << 40)"#,
    #"local t = {} for i = 1, 100000 do t[i] = '' end while true do table.concat(t, '') end"#,
    #"return table.unpack({}, 1, 1e8)"#,
    #"while true do local a = {table.unpack({}, 1, 200000)} end"#,
    #"local t = {} for i = 1, 100000 do t[i] = -i end while true do table.sort(t) end"#,
    #"local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function(a, b) return true end)"#,
    #"local t = {} for i = 1, 10000 do t[i] = i end table.sort(t, function(a, b) while true do end end)"#,
    #"local t = {} for i = 1, 200000 do t[i .. ''] = 1 end for k in pairs(t) do t[k] = nil end while true do next(t) end"#,
    #"local t = {} for i = 1, 65536 do t[i .. ''] = 1 end local i = 0 while true do i = i + 1 t[i .. ''] = nil t['x' .. i] = 1 end"#,
    #"local s = ('1'):rep(1000000) while true do local n = s | 0 end"#,
    #"local s = ('9'):rep(1000000) while true do pcall(function() return s | 0 end) end"#,
    #"local s = ('9'):rep(1000000) while true do tonumber(s) end"#,
    #"local s = ('9'):rep(1000000) local t = ('9'):rep(1000000) while true do local x = s == t end"#,
    #"local s = ('9'):rep(1000000) local t = s .. '1' while true do local x = s < t end"#,
    #"while true do utf8.len(('x'):rep(900000)) end"#,
    #"local s = ('x'):rep(900000) while true do utf8.len(s) end"#,
    #"return utf8.char(table.unpack({}, 1, 1e9))"#,
    #"return utf8.codepoint(('x'):rep(900000), 1, -1)"#,
    #"return string.byte(('x'):rep(900000), 1, -1)"#,
    #"while true do log(('x'):rep(100000)) end"#,
    #"return setmetatable({}, {__gc = function() while true do end end})"#,
    #"return getmetatable('').__index"#,
    #"xpcall(function() error() end, function() while true do end end)"#,
    #"load('while true do end')()"#,
    #"return coroutine.wrap(function() end)"#,
    #"collectgarbage('stop')"#,
    #"os.execute('id')"#,
    #"io.open('/etc/passwd')"#,
    #"return require('os')"#,
    #"return debug.getregistry()"#,
    #"local x <close> = {}"#,
    #"goto a ::a:: goto a"#,
    #"return (function(...) return select('#', ...) end)(table.unpack({}, 1, 1e6))"#,
    #"local function f(...) return f(1, ...) end f()"#,
    #"string.rep = function() while true do end end; return ('x'):rep(1)"#,
    #"error({})"#,
    #"error(setmetatable)"#,
    #"return ('x'):rep(1e5):gsub('.', {x = ('y'):rep(1000)})"#,
    #"local a = {} a.a = a return tostring(a), #tostring(print)"#,
    #"local t = {} for i = 1, 200000 do t[i] = ('x'):rep(10) .. i end"#,
    #"patch('X', function() end) while true do patch('X', function() end) end"#,
    #"while true do waxClass{'A'} end"#,
  ]

  /// The same, for the compiler.
  static let sources: [String] = [
    (0..<32000).map { "::a\($0):: " }.joined(),
    "return " + String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000),
    "return " + String(repeating: "{", count: 100_000),
    "local a = " + Array(repeating: "'x'", count: 3000).joined(separator: " .. "),
    "x = " + String(repeating: "not ", count: 100_000) + "1",
    String(repeating: "do ", count: 50_000),
    String(repeating: "function f() ", count: 10_000),
    (0..<40_000).map { "goto l\($0); " }.joined(),
    "return {" + (0..<100_000).map { "\($0)" }.joined(separator: ",") + "}",
    "\u{1b}Lua" + String(repeating: "\0", count: 100),
  ]

  static let all = programs + sources
}

@Suite("The Lua sandbox") struct HostileTests {
  static let limits = PatchLimits(instructions: 2_000_000, time: .milliseconds(50), memory: 16 << 20)

  /// Loads a program and says how much processor time and memory that took.
  private func load(_ text: String) -> (failure: PatchFailure?, time: Duration, peak: Int) {
    let registry = PatchRegistry()
    let start = ProcessorTime()
    var failure: PatchFailure?
    var peak = 0
    do {
      let runtime = try PatchRuntime(text, in: registry, limits: Self.limits)
      peak = runtime.statistics.memoryPeak
    } catch {
      failure = error
    }
    return (failure, start.elapsed, peak)
  }

  // By numbers: a report of the tests would have half a megabyte of a program's text.
  @Test("every hostile program is stopped within 100 ms of processor time", arguments: Hostile.all.indices)
  func stopped(number: Int) {
    let text = Hostile.all[number]
    let (failure, time, peak) = load(text)
    #expect(time < .milliseconds(100), "\(text.prefix(80)): \(time)")
    #expect(peak < Self.limits.memory + (1 << 20))
    if let failure { #expect(failure.kind != .files, "\(failure)") }
  }

  @Test(
    "what reaches out of the sandbox is not there",
    arguments: [
      "os", "io", "debug", "package", "load", "loadstring", "loadfile", "dofile", "coroutine", "collectgarbage",
      "setmetatable", "getmetatable", "xpcall", "string.dump", "math.randomseed", "_G", "warn",
    ])
  func absent(name: String) {
    #expect(load("assert(\(name) == nil)").failure == nil)
  }

  @Test("bytecode is refused")
  func bytecode() {
    #expect(load("\u{1b}Lua").failure?.kind == .syntax)
  }

  @Test(
    "the error of a limit cannot be caught",
    arguments: [
      ("while true do end", PatchFailure.Kind.instructions),
      ("local s = 'x' while true do s = s .. s end", .memory),
      ("('a'):rep(9999):find('.-.-.-b')", .instructions),
    ])
  func notCaught(text: String, kind: PatchFailure.Kind) {
    for attempt in ["pcall(pcall, function() \(text) end)", "for i = 1, 10 do pcall(function() \(text) end) end"] {
      let failure = load("\(attempt) error('caught')").failure?.kind
      #expect(failure == kind || failure == .time)
    }
  }

  @Test("nothing that a patch sees holds an address")
  func addresses() {
    let failure = load(
      """
      for _, value in ipairs{{}, print, patch, string.format('%s %s', {}, print), tostring({})} do
        assert(not tostring(value):find('0x'))
      end
      """
    ).failure
    #expect(failure == nil)
  }

  @Test("patterns, tables and formats give what Lua's own give")
  func libraries() {
    let failure = load(Self.libraryChecks).failure
    #expect(failure == nil, "\(failure?.description ?? "")")
  }

  static let libraryChecks = #"""
    local function eq(a, b) if a ~= b then error(tostring(a) .. ' ~= ' .. tostring(b), 2) end end
    eq(('hello world'):find('wor'), 7) eq(('hello'):find('l+'), 3) eq(select(2, ('hello'):find('l+')), 4)
    eq(('hello'):match('^(h)(.-)l'), 'h') eq(('key = value'):match('^(%w+)%s*=%s*(%w+)$'), 'key')
    eq(('a.b'):find('.', 1, true), 2) eq(('abc'):find('b', -1), nil) eq((''):find(''), 1) eq((''):find('', 2), nil)
    eq(('THE (quick) fox'):find('%((%a+)%)'), 5) eq(('f(a(b)c)d'):match('%b()'), '(a(b)c)')
    eq(('THE (quick) fox'):gsub('%f[%a]%a+', 'x'), 'x (x) x') eq(('abc'):gsub('', '-'), '-a-b-c-')
    eq(('hello world'):gsub('o', {o = '0'}), 'hell0 w0rld') eq(('abc'):gsub('%w', '%0%0', 2), 'aabbc')
    eq(('hello'):gsub('l', function() return false end), 'hello') eq(('x y'):gsub('(%w) (%w)', '%2 %1'), 'y x')
    eq(('[[x]]'):match('%[%[(.*)%]%]'), 'x') eq(('a-b'):match('[a%-]+'), 'a-') eq(('x]y'):match('[]]'), ']')
    eq(('0x1F'):match('^0[xX](%x+)$'), '1F') eq(('aXb'):find('%u'), 2) eq(('abab'):match('(ab)%1'), 'ab')
    eq(('abc'):match('()b()'), 2) eq(#('x'):rep(3, ','), 5) eq(('x'):rep(0), '') eq(('ab'):byte(2), 98)
    local n = 0 for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do n = n + tonumber(v) end eq(n, 3)
    for w in ('one two'):gmatch('%a+') do n = n + #w end eq(n, 9)
    assert(not pcall(string.find, 'a', '[')) assert(not pcall(string.find, 'a', '%')) assert(not pcall(string.find, 'a', '(('))
    assert(not pcall(string.gsub, 'a', 'a', '%2')) assert(not pcall(string.rep, 'x', 1 << 40))
    eq(string.format('%5.1f|%-4d|%s|%q', 3.14159, 7, true, 'a"b'), '  3.1|7   |true|"a\\"b"')
    local t = {5, 2, 8, 1} table.sort(t) eq(table.concat(t, ','), '1,2,5,8')
    table.sort(t, function(a, b) return a > b end) eq(table.concat(t, ','), '8,5,2,1')
    table.insert(t, 9) table.insert(t, 1, 0) eq(table.concat(t, ','), '0,8,5,2,1,9') eq(table.remove(t), 9)
    eq(table.remove(t, 1), 0) eq(table.concat(t, ' ', 2, 3), '5 2') eq(select('#', table.unpack({1, nil, 3}, 1, 3)), 3)
    eq(table.pack(1, nil).n, 2) eq(table.concat(table.move({1, 2, 3}, 1, 3, 2), ','), '1,1,2,3')
    eq(table.remove({}), nil) assert(not pcall(table.insert, {1}, 5, 2)) assert(not pcall(table.concat, {{}}))
    eq(tostring(1), '1') eq(tostring(1.5), '1.5') eq(tostring(nil), 'nil') eq(utf8.char(26085), '日') eq(utf8.len('日本'), 2)
    eq(math.type(1), 'integer') eq(10 // 3, 3) eq(select(-1, 1, 2), 2) eq(tonumber('10', 2), 2)
    """#

  @Test("mutated programs neither crash nor hang")
  func fuzz() {
    var random = SeededRandom(seed: 0x4c75_61)
    let seeds = (Hostile.programs + [Self.libraryChecks]).map { Array($0.utf8) }
    let words = [
      "pcall(", ")", " end ", " do ", "(", "{", "}", "..", "function() ", "\0", "\u{1b}Lua", "1e309", "waxClass{'A'} ",
      "patch('A', ",
    ]
    let limits = PatchLimits(instructions: 20_000, time: .milliseconds(20), memory: 1 << 20)
    for _ in 0..<SeededRandom.rounds(or: 400) {
      var text = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where place < text.count: text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: text.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
        case 2: text.removeSubrange(place..<min(text.count, place + Int.random(in: 0..<9, using: &random)))
        default:
          let other = seeds.randomElement(using: &random) ?? []
          text.insert(contentsOf: other.prefix(Int.random(in: 0...other.count, using: &random)), at: place)
        }
      }
      _ = try? PatchRuntime(String(decoding: text, as: UTF8.self), in: PatchRegistry(), limits: limits)
    }
  }
}
