import Foundation
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("The origin of a program") struct KitOriginTests {
  /// Package managers that know one file.
  static func managers(_ name: String, of file: String) -> ProcessRunner {
    ProcessRunner { request throws(FileError) in
      guard request.program == name else { throw FileError(.open, request.program, .noSuchFileOrDirectory) }
      return .init(status: request.arguments.last == file ? 0 : 1, output: "mpaas: \(file)\n")
    }
  }

  @Test("is the package manager that knows its file, with the command that updates it")
  func packages() throws {
    for name in ["dpkg", "rpm"] {
      let origin = KitOrigin(of: "/usr/bin/mpaas", with: Self.managers(name, of: "/usr/bin/mpaas"))
      guard case .package(name, let command) = origin else {
        Issue.record("\(origin)")
        continue
      }
      #expect(command.hasPrefix("sudo "))
      #expect(KitOrigin(of: "/opt/mpaas", with: Self.managers(name, of: "/usr/bin/mpaas")) == .loose)
    }
    let cellar = "/home/linuxbrew/.linuxbrew/Cellar/mpaas/0.2.0/bin/mpaas"
    let none = Self.managers("none", of: "")
    #expect(
      KitOrigin(of: cellar, with: none) == .package(manager: "Homebrew", command: "brew upgrade mpaas"))
    #expect(KitOrigin(of: "/src/.build/release/mpaas", with: none) == .build)
    #expect(KitOrigin(of: "/tmp/mpaas", with: none) == .loose)
  }

  @Test("is the folder that it was installed in, where a link there leads to a version")
  func folders() throws {
    let sample = try SampleKit()
    let none = Self.managers("none", of: "")
    let program = sample.folder.version("0.2.0") + "/bin/mpaas"
    #expect(KitOrigin(of: program, with: none) == .folder(sample.folder))
    try FileSystem.remove(sample.folder.link)
    #expect(KitOrigin(of: program, with: none) == .loose)
  }
}
