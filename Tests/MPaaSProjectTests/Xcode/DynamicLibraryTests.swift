import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Frameworks that are loaded at start") struct DynamicLibraryTests {
  private func isDynamic(_ bytes: [UInt8]) throws -> Bool {
    let folder = try TemporaryFolder()
    let framework = folder.url.appending(path: "Pay.framework")
    try FileManager.default.createDirectory(at: framework, withIntermediateDirectories: true)
    try Data(bytes).write(to: framework.appending(path: "Pay"))
    return DynamicLibrary.isDynamic(at: framework.path)
  }

  private static func words(_ words: [UInt32], isBig: Bool = true) -> [UInt8] {
    words.flatMap { word in Array(withUnsafeBytes(of: isBig ? word.bigEndian : word.littleEndian) { $0 }) }
  }

  @Test("are told by the kind of file in the header, in either order of bytes, whole or the first of several")
  func kinds() throws {
    let little = Self.words([0xfeed_facf, 0x0100_000c, 0, 6], isBig: false)
    let object = Self.words([0xfeed_facf, 0x0100_000c, 0, 1], isBig: false)
    #expect(try isDynamic(little))
    #expect(try !isDynamic(object))
    #expect(try isDynamic(Self.words([0xfeed_face, 7, 3, 6])))
    #expect(try isDynamic(Self.words([0xfeed_face, 7, 3, 6], isBig: false)))
    let narrow = Self.words([0xcafe_babe, 1, 0x0100_000c, 0, 28, 16, 4])
    #expect(try isDynamic(narrow + little))
    #expect(try !isDynamic(narrow + object))
    let wide = Self.words([0xcafe_babf, 1, 0x0100_000c, 0, 0, 40, 0, 16, 4, 0])
    #expect(try isDynamic(wide + little))
    #expect(try !isDynamic(Array("!<arch>\n".utf8)))
  }

  @Test("are none where the file is cut, leads behind its end or into itself")
  func damaged() throws {
    let whole = Self.words([0xcafe_babe, 1, 0x0100_000c, 0, 20, 16, 4])
    for count in 0..<whole.count { #expect(try !isDynamic(Array(whole[..<count]))) }
    for offset in [0, 27, 28, 0x7fff_ffff, 0xffff_ffff] as [UInt32] {
      #expect(try !isDynamic(Self.words([0xcafe_babe, 1, 0x0100_000c, 0, offset, 16, 4])))
    }
    var random = SeededRandom(seed: 56)
    for _ in 0..<SeededRandom.rounds(or: 60) {
      var bytes = whole + Self.words([0xfeed_facf, 0, 0, 6], isBig: false)
      bytes[Int.random(in: 4..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = try isDynamic(bytes)
    }
    #expect(!DynamicLibrary.isDynamic(at: "/nowhere/Pay.framework"))
  }

  @Test("of several systems are so where one of them is, as a library or a framework")
  func slices() throws {
    let folder = try TemporaryFolder()
    let root = folder.url.appending(path: "Pay.xcframework")
    for slice in ["ios-arm64", "macos"] {
      try FileManager.default.createDirectory(
        at: root.appending(path: slice + "/Pay.framework"), withIntermediateDirectories: true)
    }
    #expect(!DynamicLibrary.isDynamic(at: root.path))
    try Data(Self.words([0xfeed_facf, 0, 0, 1], isBig: false)).write(
      to: root.appending(path: "ios-arm64/Pay.framework/Pay"))
    #expect(!DynamicLibrary.isDynamic(at: root.path))
    try Data(Self.words([0xfeed_facf, 0, 0, 6], isBig: false)).write(
      to: root.appending(path: "macos/Pay.framework/Pay"))
    #expect(DynamicLibrary.isDynamic(at: root.path))
  }

  @Test("are taken up by configurations that include the modules' file, through others and not in circles")
  func includes() throws {
    let folder = try TemporaryFolder()
    func write(_ path: String, _ text: String) throws {
      try SampleTemplates.write(text, to: folder.url.appending(path: path))
    }
    func includes(_ path: String) -> Bool {
      ModuleInclude.includes(folder.path + "/" + path, moduleFolder: folder.path + "/MPaaS")
    }
    try write("Direct.xcconfig", "// settings\n#include \"MPaaS/Modules.xcconfig\"\n")
    try write("In/Far.xcconfig", "A = 1\n  #include? \"../Direct.xcconfig\"\r\n")
    try write("Loop.xcconfig", "#include \"Loop.xcconfig\"\n")
    try write("None.xcconfig", "// #include \"MPaaS/Modules.xcconfig\"\nA = \"MPaaS/Modules.xcconfig\"\n#include \"\n")
    #expect(includes("MPaaS/Modules.xcconfig"))
    #expect(includes("Direct.xcconfig"))
    #expect(includes("In/Far.xcconfig"))
    for name in ["Loop.xcconfig", "None.xcconfig", "Nowhere.xcconfig"] { #expect(!includes(name), "\(name)") }
  }
}
