/// The globals that Lua code of a patch finds; the sandbox offers the same.
enum LuaEnvironment {
  static let functions: Set<String> = [
    "assert", "error", "ipairs", "next", "pairs", "pcall", "select", "tonumber", "tostring", "type", "rawequal",
    "rawlen", "rawget", "rawset", "patch", "waxClass", "ORIG", "require", "log", "print",
  ]

  /// The further functions that files of tests find; see `TestPrelude`.
  static let testFunctions: Set<String> = ["test", "call", "original", "calls", "expect"]

  static let libraries: [String: Set<String>] = [
    "string": [
      "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack", "packsize", "rep", "reverse",
      "sub", "unpack", "upper",
    ],
    "table": ["concat", "insert", "move", "pack", "remove", "sort", "unpack"],
    "math": [
      "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max", "maxinteger",
      "min", "mininteger", "modf", "pi", "rad", "random", "sin", "sqrt", "tan", "tointeger", "type", "ult",
    ],
    "utf8": ["char", "charpattern", "codepoint", "codes", "len", "offset"],
  ]

  /// The parts of Lua that patches have not, with the variant of the text that says what to do instead.
  static let forbidden: [String: String] = [
    "os": "os", "io": "io", "debug": "debug", "load": "load", "loadstring": "load", "loadfile": "load",
    "dofile": "load", "collectgarbage": "memory", "coroutine": "coroutine", "setmetatable": "metatable",
    "getmetatable": "metatable", "xpcall": "xpcall", "package": "module", "module": "module", "_G": "environment",
    "_ENV": "environment", "getfenv": "environment", "setfenv": "environment", "string.dump": "load",
    "math.randomseed": "random",
  ]

  /// The names of older versions of Lua, or other languages, call something that is there.
  static let renamed: [String: String] = [
    "unpack": "table.unpack", "table.getn": "#", "table.maxn": "#", "math.pow": "^", "math.mod": "math.fmod",
    "string.gfind": "string.gmatch", "null": "nil", "undefined": "nil", "None": "nil", "True": "true",
    "False": "false", "this": "self", "bit32": "& | ~ << >>",
  ]

  /// Functions that give a string, whatever they are given.
  static let givingString: Set<String> = [
    "tostring", "type", "string.format", "string.rep", "string.sub", "string.lower", "string.upper", "string.reverse",
    "string.char", "table.concat", "utf8.char",
  ]
}
