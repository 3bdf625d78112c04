import Foundation
import MPaaSConfig
import MPaaSTestSupport

/// The XML property lists among the fixtures, and what CPython's `plistlib` reads in them.
enum PropertyListFixtures {
  static let folders = ["project/plist", "project/bundle_files/plist", "project/mpaas_legacy"]

  static func files() throws -> [String] {
    try folders.flatMap { folder in
      let path = try Fixture.path(folder)
      return try FileManager.default.subpathsOfDirectory(atPath: path).map { path + "/" + $0 }
    }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }.sorted()
  }

  static func isXML(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(2000), as: UTF8.self).replacing("\0", with: "")
    return start.contains("<?xml") || start.contains("<plist")
  }

  /// By the path: a value in one line, or nothing where `plistlib` refuses the file.
  static func peer(_ files: [String]) throws -> [String: String] {
    let folder = try TemporaryFolder()
    let script = folder.url.appending(path: "dump.py")
    try Data(python.utf8).write(to: script)
    let outcome = try Command.run("python3", [script.path], input: files.joined(separator: "\n"))
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1).map(String.init) }
    return Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
  }

  private static let python = """
    import plistlib, struct, sys, datetime
    def dump(v):
        if isinstance(v, dict):
            return "{" + ",".join(k.encode().hex() + ":" + dump(v[k]) for k in sorted(v, key=lambda k: k.encode())) + "}"
        if isinstance(v, list): return "[" + ",".join(map(dump, v)) + "]"
        if isinstance(v, bool): return "true" if v else "false"
        if isinstance(v, str): return "s" + v.encode().hex()
        if isinstance(v, int): return "i%d" % v
        if isinstance(v, float): return "r" + struct.pack(">d", v).hex()
        if isinstance(v, datetime.datetime): return "d" + v.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
        if isinstance(v, bytes): return "x" + v.hex()
        if isinstance(v, plistlib.UID): return "u%d" % v.data
        raise TypeError(type(v))
    for path in sys.stdin.read().splitlines():
        try: print(path + "\\t" + dump(plistlib.loads(open(path, "rb").read())))
        except Exception: pass
    """

  /// The same line of our own.
  static func dump(_ value: PropertyListValue) -> String {
    func hex(_ bytes: some Sequence<UInt8>) -> String {
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    switch value.content {
    case .dictionary(let members):
      let last = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
      let keys = last.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return "{" + keys.map { hex($0.utf8) + ":" + (last[$0].map(dump) ?? "") }.joined(separator: ",") + "}"
    case .array(let values): return "[" + values.map(dump).joined(separator: ",") + "]"
    case .string(let text): return "s" + hex(text.utf8)
    case .integer(let number): return "i\(number)"
    case .real(let number):
      return "r" + hex((0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (56 - 8 * $0)) })
    case .boolean(let value): return value ? "true" : "false"
    case .date(let date): return "d\(date)"
    case .data(let bytes): return "x" + hex(bytes)
    case .uid(let number): return "u\(number)"
    }
  }
}
