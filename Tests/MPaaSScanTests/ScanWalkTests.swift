import Foundation
import MPaaSScan
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The walk through archives") struct ScanWalkTests {
  /// The report of an archive that Python writes; `tool` is a small ELF program of the machine.
  private func report(_ script: String, name: String = "App.zip", limits: ScanLimits = ScanLimits()) throws
    -> ScanReport
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: name).path
    let prelude = """
      import io, struct, sys, zipfile
      out = sys.argv[1]
      tool = open('/bin/true', 'rb').read()
      def pack(entries, method=zipfile.ZIP_DEFLATED):
          b = io.BytesIO()
          with zipfile.ZipFile(b, 'w', method) as z:
              for n, d in entries: z.writestr(n, d)
          return b.getvalue()
      def save(data): open(out, 'wb').write(data)

      """
    let result = try Command.run("/usr/bin/env", ["python3", "-c", prelude + script, path])
    #expect(result.status == 0, "\(result.errors)")
    var scan = Scan()
    scan.limits = limits
    return try scan.report(of: [path])
  }

  @Test("finds an image in eight archives inside each other, and stops at the ninth", .tool("python3"))
  func nesting() throws {
    let script = """
      d = pack([('tool', tool)])
      for i in range(DEPTH): d = pack([('inner.zip', d)])
      save(d)
      """
    let eight = try report(script.replacing("DEPTH", with: "7"))
    #expect(eight.images.count == 1)
    #expect(eight.images[0].path.hasSuffix("App.zip/" + String(repeating: "inner.zip/", count: 7) + "tool"))
    let nine = try report(script.replacing("DEPTH", with: "8"))
    #expect(nine.images.isEmpty)
    #expect(nine.findings.map(\.id.name) == ["malformed"])
  }

  @Test("refuses an entry that would grow without measure, by its place in the directory", .tool("python3"))
  func bomb() throws {
    let report = try report("save(pack([('bomb', tool[:16] + bytes(300 << 20)), ('tool', tool)]))")
    let finding = try #require(report.findings.first { $0.id.name == "malformed" })
    #expect(finding.evidence.hasPrefix("ratio"))
    #expect(finding.place.offset != nil)
    #expect(report.images.map { FileSystem.name(of: $0.path) } == ["tool"])
  }

  @Test("tells of a list of an app that cannot be read, with its offset; one of sources is left to other tools")
  func damagedLists() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    // An array that holds itself, in a binary list; a tag without end, on the third line.
    let cycle: [UInt8] = Array("bplist00".utf8) + [0xa1, 0, 8] + [0, 0, 0, 0, 0, 0, 1, 1]
    let trailer = [1, 0, 10].flatMap { [UInt8](repeating: 0, count: 7) + [UInt8($0)] }
    let lists = [
      "Cycle.app/Info.plist": Data(cycle + trailer), "Cut.app/Info.plist": Data("<plist>\n<dict>\n<key".utf8),
      "Sources/Info.plist": Data("<plist>\n<dict>\n<key".utf8),
    ]
    for (name, content) in lists {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: file)
    }
    let found = try Scan().report(of: [folder.path]).findings
    #expect(found.map(\.id.name) == ["malformed", "malformed"])
    #expect(found.map { FileSystem.name(of: FileSystem.folder(of: $0.place.path)) } == ["Cut.app", "Cycle.app"])
    #expect(found.map(\.place.offset) == [15, 8])
  }

  #if os(Linux)
    @Test("tells of a file whose name is not UTF-8, which it cannot open")
    func names() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { _ = try? Command.run("rm", ["-r", folder.path]) }
      let made = try Command.run(
        "sh", ["-c", "cd '\(folder.path)' && cp /bin/true \"$(printf 'a\\377')\" && cp /bin/true b"])
      #expect(made.status == 0, "\(made.errors)")
      let report = try Scan().report(of: [folder.path])
      #expect(report.images.map { FileSystem.name(of: $0.path) } == ["b"])
      #expect(report.findings.contains { $0.id.name == "scan-unread" && $0.evidence == "name" })
    }
  #endif

  @Test("tells of paths that would leave the folder, and reads what they hold", .tool("python3"))
  func escape() throws {
    let report = try report("save(pack([('../../etc/tool', tool)]))")
    #expect(report.findings.contains { $0.id.name == "malformed" && $0.evidence.hasPrefix("path:") })
    #expect(report.images.count == 1)
  }

  @Test("tells of entries that share their bytes, and of directories that are cut", .tool("python3"))
  func lies() throws {
    let overlap = try report(
      """
      d = bytearray(pack([('a', tool), ('b', tool)]))
      i = d.find(b'PK\\x01\\x02'); j = d.find(b'PK\\x01\\x02', i + 4)
      d[j+42:j+46] = struct.pack('<I', 0)
      save(d)
      """)
    #expect(overlap.findings.contains { $0.id.name == "malformed" && $0.evidence.hasPrefix("overlap") })
    let cut = try report("d = pack([('a', tool)]); save(d[:len(d) - 30])")
    #expect(cut.findings.contains { $0.id.name == "malformed" })
    let size = try report(
      """
      d = bytearray(pack([('a', tool)])); i = d.find(b'PK\\x01\\x02')
      d[i+24:i+28] = struct.pack('<I', len(tool) - 1)
      save(d)
      """)
    #expect(size.findings.contains { $0.id.name == "malformed" && $0.place.offset != nil })
  }

  @Test("reads the lists of an app: exceptions, schemes, missing texts", .tool("python3"))
  func lists() throws {
    let report = try report(
      """
      import plistlib
      list = {'CFBundleIdentifier': 'com.example.app', 'CFBundleExecutable': 'App', 'CFBundleShortVersionString': '1.2',
        'UIFileSharingEnabled': True, 'NSCameraUsageDescription': ' ',
        'CFBundleURLTypes': [{'CFBundleURLSchemes': ['demo']}],
        'NSAppTransportSecurity': {'NSAllowsArbitraryLoads': True, 'NSExceptionDomains': {
          'old.example': {'NSExceptionAllowsInsecureHTTPLoads': True}, 'fine.example': {'NSIncludesSubdomains': True}}}}
      save(pack([('Payload/App.app/Info.plist', plistlib.dumps(list, fmt=plistlib.FMT_BINARY))]))
      """, name: "App.ipa")
    let ids = report.findings.map { "\($0.id.name) \($0.evidence)" }
    #expect(
      Set(ids) == [
        "scan-ats-arbitrary NSAllowsArbitraryLoads",
        "scan-ats-exception old.example: NSExceptionAllowsInsecureHTTPLoads", "scan-url-scheme demo",
        "scan-file-sharing UIFileSharingEnabled", "scan-usage-missing NSCameraUsageDescription",
      ])
    #expect(report.components.map(\.name) == ["com.example.app"])
  }

  @Test("reads the manifest of an App Bundle", .tool("python3"))
  func bundle() throws {
    let report = try report(
      """
      def field(n, d): return bytes([n << 3 | 2]) + bytes([len(d)]) + d
      def attribute(n, v): return field(4, field(2, n.encode()) + field(3, v.encode()))
      def element(name, *parts): return field(1, field(3, name.encode()) + b''.join(parts))
      app = field(5, element('application', attribute('allowBackup', 'false'), attribute('debuggable', 'true')))
      root = element('manifest', attribute('package', 'com.example.demo'), app)
      save(pack([('base/manifest/AndroidManifest.xml', root), ('base/lib/arm64-v8a/tool', tool)]))
      """, name: "App.aab")
    #expect(report.androidManifests.map(\.package) == ["com.example.demo"])
    #expect(report.findings.contains { $0.id.name == "scan-android-debuggable" })
    #expect(!report.findings.contains { $0.id.name == "malformed" || $0.id.name == "scan-android-backup" })
    #expect(report.images.count == 1)
  }

  @Test("ends soon where archives hold archives without end", .tool("python3"))
  func wide() throws {
    var limits = ScanLimits()
    limits.entries = 20_000
    let report = try report(
      """
      d = pack([(str(i), b'x') for i in range(16)])
      for i in range(7): d = pack([(str(j) + '.zip', d) for j in range(16)])
      save(d)
      """, limits: limits)
    #expect(report.findings.contains { $0.id.name == "malformed" && $0.evidence == "entries > 20000" })
    #expect(report.files <= 20_001)
  }
}
