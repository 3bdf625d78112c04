import Foundation
import MPaaSAppPackage
import MPaaSAppPackageTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A build that is none") struct HostilePackageTests {
  private func code(_ bytes: [UInt8]) -> AppPackageError.Code? {
    do throws(AppPackageError) {
      _ = try AppPackage(Bytes(bytes))
      return nil
    } catch {
      return error.code
    }
  }

  @Test("is unknown where it is no zip, or has no app in it")
  func unknown() {
    #expect(code([]) == .unknown)
    #expect(code(Array("hello".utf8)) == .unknown)
    #expect(code(SampleBuild.zip([SampleBuild.entry("a.txt", "x")])) == .unknown)
    #expect(code(SampleBuild.zip([SampleBuild.entry("base/manifest/AndroidManifest.xml", "x")])) == .unknown)
    // A list of anything but an archive.
    #expect(code(SampleBuild.zip([SampleBuild.entry("Info.plist", SampleBuild.list(["Name": "x"]))])) == .unknown)
  }

  @Test("is damaged where what tells its facts cannot be read")
  func damaged() {
    #expect(code(SampleBuild.zip([SampleBuild.entry("Payload/A.app/Info.plist", "<plist>")])) == .damaged)
    #expect(code(SampleBuild.zip([SampleBuild.entry("AndroidManifest.xml", "<manifest/>")])) == .damaged)
    #expect(code(SampleBuild.ipa(profile: Array("no profile".utf8))) == .damaged)
    #expect(code(SampleBuild.ipa(identifier: "")) == .damaged)
    let two = ["A", "B"].map {
      SampleBuild.entry("Payload/\($0).app/Info.plist", SampleBuild.list(["CFBundleIdentifier": "a"]))
    }
    #expect(code(SampleBuild.zip(two)) == .damaged)
    // A bit in the list: the checksum tells.
    var ipa = SampleBuild.ipa()
    ipa[200] ^= 1
    #expect(code(ipa) == .damaged)
  }

  @Test("is unsafe where paths leave the folder, or names stand twice")
  func paths() {
    let list = SampleBuild.entry("Payload/A.app/Info.plist", SampleBuild.list(["CFBundleIdentifier": "a"]))
    for name in ["../../etc/passwd", "/etc/passwd", "Payload/../../x", "a\\..\\b", "C:\\x"] {
      #expect(code(SampleBuild.zip([list, SampleBuild.entry(name, "x")])) == .unsafe, "\(name)")
    }
    #expect(code(SampleBuild.zip([list, list])) == .unsafe)
  }

  /// The zip with other bytes in the directory's entry of a name.
  private func changed(_ zip: [UInt8], _ name: String, at place: Int, _ bytes: [UInt8]) throws -> [UInt8] {
    var zip = zip
    let directory = SampleBuild.directory(of: zip)
    let found = try #require(Data(zip).range(of: Data(name.utf8), in: directory..<zip.count))
    zip.replaceSubrange(found.lowerBound - 46 + place..<found.lowerBound - 46 + place + bytes.count, with: bytes)
    return zip
  }

  @Test("is unsafe where entries share bytes, or more comes out than is sound")
  func bombs() throws {
    let ipa = SampleBuild.ipa()
    // The program begins where the list does.
    #expect(code(try changed(ipa, "Payload/Shop.app/Shop", at: 42, SampleBuild.little(0, 4))) == .unsafe)
    let list = "Payload/Shop.app/Info.plist"
    #expect(code(try changed(ipa, list, at: 24, SampleBuild.little(1 << 30, 4))) == .unsafe)
    // Encrypted.
    #expect(code(try changed(ipa, list, at: 8, SampleBuild.little(0x0801, 2))) == .damaged)
    // A method that is not read.
    #expect(code(try changed(ipa, list, at: 10, SampleBuild.little(14, 2))) == .damaged)
  }

  @Test("is unsafe where a list comes out larger than it says, and damaged where it is cut", .tool("python3"))
  func deflated() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/bomb.ipa"
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
          z.writestr('Payload/A.app/Info.plist', b' ' * 5_000_000)
      """
    let outcome = try Command.run("python3", ["-c", script, path])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let bomb = Array(try Data(contentsOf: URL(filePath: path)))
    let name = "Payload/A.app/Info.plist"
    #expect(code(try changed(bomb, name, at: 24, SampleBuild.little(100, 4))) == .unsafe)
    #expect(code(try changed(bomb, name, at: 20, SampleBuild.little(100, 4))) == .damaged)
  }

  @Test("gives an error of its own wherever it is cut, and whatever stands in it")
  func cut() {
    for whole in [SampleBuild.ipa(), SampleBuild.apk(), SampleBuild.xcarchive()] {
      for count in stride(from: 0, to: whole.count, by: 7) {
        #expect(code(Array(whole.prefix(count))) != nil, "\(count) bytes")
      }
    }
    let seeds = [
      SampleBuild.ipa(), SampleBuild.apk(), SampleBuild.apk(isWide: false), SampleBuild.xcarchive(),
      SampleBuild.signed(SampleBuild.apk(), Array("no certificate".utf8)),
    ]
    var random = SeededRandom(seed: 27)
    for round in 0..<SeededRandom.rounds(or: 3000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // Whatever it is, the reader comes back.
      _ = code(bytes)
    }
  }
}
