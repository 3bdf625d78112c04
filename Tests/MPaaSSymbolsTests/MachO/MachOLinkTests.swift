import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Mach-O files linked here") struct MachOLinkTests {
  static let source = """
    struct P { int x; __attribute__((always_inline)) int get(int k) const { return x * k + 3; } };
    static __attribute__((noinline)) int sum(const P &p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p.get(i); return s; }
    int twice(int n) { P p{n}; return sum(p, n) + p.get(1); }
    extern "C" int main(int c, char **) { return twice(c) * 2; }
    """

  @Test(
    "answer from a library's object file as from their dSYM, in both versions of DWARF",
    .tool("clang"), .tool("ld64.lld-19"), .tool("dsymutil-19"), .tool("llvm-ar-19"), arguments: [4, 5])
  func objects(_ version: Int) throws {
    let folder = try TemporaryFolder()
    try Data(Self.source.utf8).write(to: folder.url.appending(path: "a.cpp"))
    let commands = [
      "clang --target=arm64-apple-macosx13 -O1 -gdwarf-\(version) -ffreestanding -fno-exceptions -c a.cpp -o a.o",
      "llvm-ar-19 --format=darwin rcs liba.a a.o",
      """
      ld64.lld-19 -arch arm64 -platform_version macos 13.0 13.0 -undefined dynamic_lookup -e _main -all_load liba.a -o x
      """,
      "dsymutil-19 x -o elsewhere.dSYM",
    ]
    for command in commands {
      let outcome = try Command.run("/bin/sh", ["-c", command], directory: folder.url)
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    }
    let path = folder.path + "/x"
    let alone = DebugFileSearch(roots: []).find(path: path, buildID: nil)
    #expect(alone.objects?.files.count == 1)
    let given = DebugFileSearch(paths: [folder.path], roots: []).find(path: path, buildID: nil)
    #expect(given.debugFile?.path.contains("elsewhere.dSYM") == true)
    let image = try #require(alone.executable?.image as? MachOImage)
    let (objects, bundle) = (try #require(alone.lookup()), try #require(given.lookup()))
    var inlined = 0
    for function in try #require(image.debugMap).functions {
      for address in stride(from: function.address, to: function.address + function.size, by: 4) {
        let frames = objects.frames(at: address)
        #expect(frames == bundle.frames(at: address), "at \(String(address, radix: 16))")
        #expect(frames.last?.file?.hasSuffix("/a.cpp") == true)
        if frames.count > 1 { inlined += 1 }
      }
    }
    #expect(inlined > 0)
  }
}
