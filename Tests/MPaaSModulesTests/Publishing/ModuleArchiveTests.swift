import Foundation
import MPaaSArchive
import MPaaSModuleTools
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Packing modules") struct ModuleArchiveTests {
  @Test("the same files give the same bytes, whatever their times", arguments: ModuleArchive.Format.allCases)
  func reproducible(format: ModuleArchive.Format) throws {
    let one = try SampleModule()
    let other = try SampleModule()
    let old = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1)]
    try FileManager.default.setAttributes(old, ofItemAtPath: other.path + "/LICENSE")
    try other.write(".DS_Store", "x")
    let bytes = try one.pack(format).array
    #expect(try other.pack(format).array == bytes)
    try other.write("LICENSE", "BSD")
    #expect(try other.pack(format).array != bytes)
  }

  @Test("executable files, links and empty folders are kept", arguments: ModuleArchive.Format.allCases)
  func kinds(format: ModuleArchive.Format) throws {
    let sample = try SampleModule()
    try sample.write("bin/run", "#!/bin/sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: sample.path + "/bin/run")
    try FileManager.default.createSymbolicLink(
      atPath: sample.path + "/CartKit.framework/Current", withDestinationPath: "Headers/CartKit.h")
    try FileManager.default.createDirectory(atPath: sample.path + "/empty", withIntermediateDirectories: true)
    var found: [String: ModuleArchiveEntry.Kind] = [:]
    var order: [String] = []
    try ModuleArchiveReader().read(try sample.pack(format), name: "x") { (entry) throws(ModuleError) in
      found[entry.path] = entry.kind
      order.append(entry.path)
    }
    #expect(found["bin/run"] == .file(isExecutable: true))
    #expect(found["LICENSE"] == .file(isExecutable: false))
    #expect(found["CartKit.framework/Current"] == .link(target: "Headers/CartKit.h"))
    #expect(found["empty"] == .folder)
    #expect(found["Cart.bundle/图标.txt"] == .file(isExecutable: false))
    #expect(order.first == "module.toml")
    #expect(Array(order.dropFirst()) == order.dropFirst().sorted())
  }

  @Test(
    "a link that leads out, to nothing or is absolute is refused", arguments: ["../../etc", "nowhere", "/etc/hosts"])
  func links(target: String) throws {
    let sample = try SampleModule()
    try FileManager.default.createSymbolicLink(atPath: sample.path + "/link", withDestinationPath: target)
    let error = #expect(throws: ModuleError.self) { try sample.pack() }
    #expect(error?.code.id == "module-pack-link")
  }

  @Test("an archive that is not wanted is not written, and leaves nothing behind")
  func refused() throws {
    let sample = try SampleModule()
    let target = sample.folder.path + "/out.zip"
    try ModuleArchive.pack(folder: sample.path, to: target, format: .zip) { (_) throws(ModuleError) in false }
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.folder.path) == ["module"])
  }
}
