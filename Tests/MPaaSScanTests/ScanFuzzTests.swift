import Foundation
import MPaaSScan
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Hostile input", .fixtures) struct ScanFuzzTests {
  private static let seeds = [
    "scan/macho/goodcert", "scan/macho/cert_hash_allowed_signingid_blocked", "scan/macho/arc",
    "scan/macho/Demo_dylib", "scan/macho/32bitplist", "scan/elf/hard", "scan/elf/aarch64_bti.so",
    "scan/isign-Test.app/Info.plist",
  ]

  /// Writes `bytes` under a name, and scans it; whatever it is, the scan ends with a report.
  private func scan(_ bytes: Data, name: String, in folder: URL) throws {
    let path = folder.appending(path: name)
    try bytes.write(to: path)
    let report = try Scan().report(of: [path.path])
    for image in report.images { _ = image.json }
    _ = BillOfMaterials(report, ScanTool(version: "0", time: 0)).document(.cyclonedx)
  }

  private func withFolder(_ work: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mpaas-scan-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try work(folder)
  }

  private func changed(_ bytes: Data, _ random: inout SeededRandom) -> Data {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      // Heads and tables stand at the front, directories of archives at the end.
      let front = Int.random(in: 0..<min(bytes.count, 2048), using: &random)
      let back = bytes.count - 1 - Int.random(in: 0..<min(bytes.count, 512), using: &random)
      let place = Int.random(in: 0..<4, using: &random) == 0 ? back : front
      bytes[place] = [0, 0x7f, 0xff, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
    }
    if Int.random(in: 0..<8, using: &random) == 0 {
      bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
    }
    return Data(bytes)
  }

  @Test("in images and lists ends in a report", arguments: seeds)
  func images(seed: String) throws {
    let bytes = try Fixture.data(seed)
    var random = SeededRandom(seed: 28)
    try withFolder { folder in
      for _ in 0..<SeededRandom.rounds(or: 150) {
        try scan(changed(bytes, &random), name: FileSystem.name(of: seed), in: folder)
      }
    }
  }

  @Test("in archives ends in a report", .tool("python3"))
  func archives() throws {
    try withFolder { folder in
      let path = folder.appending(path: "seed.zip").path
      let script = """
        import sys, zipfile
        with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
            for p in sys.argv[2:]: z.write(p, 'Payload/App.app/' + p.split('/')[-1])
            z.writestr('Payload/App.app/_CodeSignature/CodeResources', b'<plist version="1.0"><dict><key>files</key><dict/>'
              b'<key>rules</key><dict><key>^</key><true/></dict></dict></plist>')
            z.writestr('AndroidManifest.xml', bytes([3, 0, 8, 0, 64, 0, 0, 0, 1, 0, 28, 0, 56, 0, 0, 0] + [0] * 48))
        """
      let files = try ["scan/elf/hard", "scan/macho/arc", "scan/isign-Test.app/Info.plist"].map(Fixture.path)
      let outcome = try Command.run("/usr/bin/env", ["python3", "-c", script, path] + files)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let bytes = try Data(contentsOf: URL(filePath: path))
      var random = SeededRandom(seed: 7)
      for _ in 0..<SeededRandom.rounds(or: 400) {
        try scan(changed(bytes, &random), name: "App.ipa", in: folder)
      }
    }
  }
}
