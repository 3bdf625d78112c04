import MPaaSCrashReport
import Testing

@testable import MPaaSCrash

@Suite("The command that would give missing symbols") struct SymbolsCommandLineTests {
  private func command(
    _ path: String, system: String = "Linux", id: String = "0123456789abcdef0123456789abcdef01234567",
    architecture: String = "x86_64", _ reason: MissingSymbols.Reason = .notFound
  ) -> String {
    var report = CrashReport()
    report.system.name = system
    let image = CrashReport.Image(
      base: 0x1000, size: 0x1000, buildID: id, path: path, architecture: architecture, slide: 0x1000)
    report.images = [
      CrashReport.Image(base: 0, size: 1, buildID: "", path: "/main", architecture: architecture, slide: 0), image,
    ]
    return SymbolsCommandLine(image, reason, in: report).text
  }

  @Test("names a dSYM for Apple's apps and the folder of a device for its system")
  func apple() {
    #expect(
      command("/private/var/containers/Bundle/Application/X/Shop.app/Shop", system: "iPhone OS")
        == "mpaas symbols add DIR/Shop.dSYM")
    #expect(command("/a/Frameworks/My Kit", system: "macOS") == "mpaas symbols add 'DIR/My Kit.dSYM'")
    #expect(command("/usr/lib/libobjc.A.dylib", system: "iOS") == "mpaas symbols add --system DIR")
  }

  @Test("names the program or its debug file for Linux, also of code that the kernel maps")
  func linux() {
    #expect(command("/opt/shop") == "mpaas symbols add DIR/shop")
    #expect(command("/opt/shop (deleted)") == "mpaas symbols add DIR/shop")
    #expect(command("/opt/it's") == "mpaas symbols add 'DIR/it'\\''s'")
    #expect(command("/opt/shop", .noDebugInfo) == "mpaas symbols add DIR/shop.debug")
    #expect(command("[vdso]") == "mpaas symbols add DIR/vdso64.so")
  }

  @Test("names Breakpad's text for Windows, whose own symbols nobody reads here")
  func windows() {
    #expect(command("C:\\Program Files\\shop.exe", system: "Windows NT") == "mpaas symbols add DIR/shop.sym")
  }

  @Test("hands an image without a build ID over by its name, since the store goes by build ID")
  func nameless() {
    #expect(command("/opt/shop", id: "", .noBuildID) == "mpaas crash symbolicate REPORT --symbols DIR/shop")
  }
}
