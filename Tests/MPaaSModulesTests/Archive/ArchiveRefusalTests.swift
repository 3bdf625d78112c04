import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// Reads an archive that a script makes, as the store does.
func readArchive(
  _ script: String, limits: ModuleArchiveLimits = ModuleArchiveLimits()
) throws -> [(path: String, kind: ModuleArchiveEntry.Kind)] {
  var entries: [(String, ModuleArchiveEntry.Kind)] = []
  let bytes = Bytes(try SampleArchive.bytes(script))
  try ModuleArchiveReader(limits: limits).read(bytes, name: "demo") { (entry) throws(ModuleError) in
    try entry.read { (_) throws(ModuleError) in }
    entries.append((entry.path, entry.kind))
  }
  return entries
}

/// The reason why an archive that a script makes is refused for; nil where it is not.
func refusal(of script: String, limits: ModuleArchiveLimits = ModuleArchiveLimits()) throws -> ModuleError.Code? {
  do {
    _ = try readArchive(script, limits: limits)
    return nil
  } catch let error as ModuleError {
    return error.code
  }
}

@Suite("Archives of modules", .tool("python3")) struct ArchiveRefusalTests {
  @Test("are read from zip and tar alike, with links inside, executable bits and nothing more of the mode")
  func reads() throws {
    let entries = """
      module(), d('A'), f('A/bin/tool', mode=0o4755), f('./A/Versions/1/A'), l('A/Versions/Current', '1'),
          l('A/A', 'Versions/Current/A'), f('测试.txt', 'ü')
      """
    for kind in ["tar(\(entries))", "tar(\(entries), mode='w:gz')", "tar(\(entries), mode='w:xz')", "zip(\(entries))"] {
      let read = try readArchive(kind)
      let paths = ["module.toml", "A", "A/bin/tool", "A/Versions/1/A", "A/Versions/Current", "A/A", "测试.txt"]
      #expect(read.map(\.path) == paths, "\(kind)")
      #expect(
        read.map(\.kind) == [
          .file(isExecutable: false), .folder, .file(isExecutable: true), .file(isExecutable: false),
          .link(target: "1"), .link(target: "Versions/Current/A"), .file(isExecutable: false),
        ], "\(kind)")
    }
    #expect(try refusal(of: "zip(\(entries), comment=b'made by hand')") == nil)
    #expect(try refusal(of: "tar(d('.'), f('./a'), f('b/../c'))") == .archivePathOutside)
  }

  @Test(
    "are refused where a path leads out of the folder",
    arguments: ["../a", "/etc/passwd", "a/../../b", "a/..", "//a"])
  func outside(path: String) throws {
    #expect(try refusal(of: "tar(f('\(path)'))") == .archivePathOutside)
    #expect(try refusal(of: "zip(f('\(path)'))") == .archivePathOutside)
  }

  @Test(
    "are refused where a name is the folder of Git to some file system",
    arguments: [".git/config", "A/.GIT/hooks/post-checkout", ".git./config", ".git /config", "GIT~1/config"])
  func git(path: String) throws {
    #expect(try refusal(of: "tar(f('\(path)'))") == .archiveNameGit)
    #expect(try refusal(of: "zip(f('\(path)'))") == .archiveNameGit)
  }

  @Test(
    "are refused where a name is another file on Windows", arguments: ["CON", "A/nul.h", "com1.tar.gz", "a.", "A /b"])
  func system(path: String) throws {
    #expect(try refusal(of: "tar(f('\(path)'))") == .archiveNameSystem)
    #expect(try refusal(of: "zip(f('\(path)'))") == .archiveNameSystem)
  }

  @Test(
    "are refused where a zip has bytes in front of its first entry or between two, also such as its directory knows")
  func zipGaps() throws {
    // Offsets are moved with the bytes, as self-extracting archives have them.
    let moved = """
      import struct; zip(f('a'), f('b')); b = bytearray(open(out, 'rb').read())
      e = b.rindex(b'PK\\x05\\x06'); d = struct.unpack_from('<I', b, e + 16)[0]; second = b.index(b'PK\\x03\\x04', 4)
      gap = AT == 0 and 0 or second; p = d
      while b[p:p + 4] == b'PK\\x01\\x02':
          o = struct.unpack_from('<I', b, p + 42)[0]
          if o >= gap: struct.pack_into('<I', b, p + 42, o + len(JUNK))
          p += 46 + sum(struct.unpack_from('<HHH', b, p + 28))
      struct.pack_into('<I', b, e + 16, d + len(JUNK)); open(out, 'wb').write(b[:gap] + JUNK + b[gap:])
      """
    let hidden = "b'PK\\x03\\x04' + b'\\x14' + bytes(21) + b'\\x01\\0\\0\\0z'"
    for (place, junk) in [("0", hidden), ("0", "b'PK\\x03\\x04'"), ("1", hidden), ("1", "b'x'")] {
      let script = "AT = \(place); JUNK = \(junk)\n" + moved
      #expect(try refusal(of: script) == .archiveDamaged, "\(place) \(junk)")
    }
    #expect(try refusal(of: "AT = 0; JUNK = b''\n" + moved) == nil)
  }

  @Test("are refused where a path is one of another system", arguments: [#"a\\b"#, #"C:\\x"#, "c:x"])
  func foreign(path: String) throws {
    #expect(try refusal(of: "tar(f('\(path)'))") == .archivePathForeign)
  }

  @Test("are refused where a name is not UTF-8")
  func encoding() throws {
    #expect(try refusal(of: "tar(f('a\\udcff'), format=tarfile.GNU_FORMAT)") == .archiveNameEncoding)
    #expect(try refusal(of: "zip(f('aXb')); patch(b'aXb', b'a\\xffb')") == .archiveNameEncoding)
  }

  @Test(
    "are refused where a name has what is not seen", arguments: ["\\n", "\\x1b[31m", "\\u202e", "\\u200b", "\\x7f"])
  func control(character: String) throws {
    #expect(try refusal(of: "tar(f('a\(character)b'))") == .archiveNameControl)
  }

  @Test("are refused where a name in the zip's directory has a NUL")
  func nul() throws {
    #expect(try refusal(of: "zip(f('aXb')); patch(b'aXb', b'a\\0b')") == .archiveNameControl)
  }

  @Test("are refused where a name or a path is too long, or folders are too deep")
  func long() throws {
    #expect(try refusal(of: "tar(f('a' * 255))") == nil)
    #expect(try refusal(of: "tar(f('a' * 256))") == .archiveNameLong)
    #expect(try refusal(of: "tar(f('/'.join(['a' * 100] * 7)))") == .archiveNameLong)
    #expect(try refusal(of: "tar(f('a/' * 31 + 'a'))") == nil)
    #expect(try refusal(of: "tar(f('a/' * 32 + 'a'))") == .archiveTooDeep)
  }

  @Test("are refused where they bring the file that the store writes itself")
  func reserved() throws {
    #expect(try refusal(of: "tar(f('.mpaas-module.json'))") == .archiveNameReserved)
    #expect(try refusal(of: "tar(f('.MPaaS-Module.json/a'))") == .archiveNameReserved)
  }

  @Test("are refused where a path comes twice")
  func twice() throws {
    #expect(try refusal(of: "tar(f('a'), f('./a'))") == .archiveEntryTwice)
    #expect(try refusal(of: "tar(d('a'), d('a/'))") == .archiveEntryTwice)
    #expect(try refusal(of: "zip(f('a'), f('b')); patch(b'b', b'a')") == .archiveEntryTwice)
  }

  @Test("are refused where a path is a file and a folder")
  func fileAndFolder() throws {
    #expect(try refusal(of: "tar(f('a'), f('a/b'))") == .archiveFileAndFolder)
    #expect(try refusal(of: "tar(f('a/b'), f('a'))") == .archiveFileAndFolder)
    #expect(try refusal(of: "tar(f('a'), d('a'))") == .archiveFileAndFolder)
    #expect(try refusal(of: "tar(f('b/a'), l('b', 'c'), d('c'))") == .archiveFileAndFolder)
  }

  @Test("are refused where two names are one without case, or by another composition of letters")
  func clash() throws {
    #expect(try refusal(of: "tar(f('Read.me'), f('README'))") == nil)
    #expect(try refusal(of: "tar(f('Readme'), f('README'))") == .archiveNameClash)
    #expect(try refusal(of: "tar(f('A/x'), f('a/y'))") == .archiveNameClash)
    #expect(try refusal(of: "tar(f('caf\\u00e9'), f('cafe\\u0301'), format=tarfile.GNU_FORMAT)") == .archiveNameClash)
    // Names that say that they are UTF-8 are composed by libarchive.
    #expect(try refusal(of: "tar(f('caf\\u00e9'), f('cafe\\u0301'))") != nil)
    #expect(try refusal(of: "tar(f('stra\\u00dfe'), f('STRASSE'))") == .archiveNameClash)
  }

  @Test("are refused where a link leads out", arguments: ["/etc", "../..", "a/../../..", #"..\\x"#, "C:/x"])
  func linkOutside(target: String) throws {
    #expect(try refusal(of: "tar(f('d/a/x'), l('d/l', '\(target)'))") == .archiveLinkOutside)
    #expect(try refusal(of: "zip(f('d/a/x'), l('d/l', '\(target)'))") == .archiveLinkOutside)
  }

  @Test("are refused where a link leads out through another")
  func linkOutsideThroughLinks() throws {
    #expect(
      try refusal(of: "tar(f('a/b/c/x'), l('s', 'a/b/c'), l('t', 's/../../../..'))") == .archiveLinkOutside)
    // By the text alone this one would stay inside.
    #expect(
      try refusal(of: "tar(f('a/x'), f('q/w/e/x'), l('q/w/e/up', '../../../a'), l('z', 'q/w/e/up/../../y'))")
        == .archiveLinkOutside)
  }

  @Test("are refused where a link leads nowhere or in a circle")
  func linkBroken() throws {
    #expect(try refusal(of: "tar(l('a', 'b'))") == .archiveLinkBroken)
    #expect(try refusal(of: "tar(l('a', 'b'), l('b', 'a'))") == .archiveLinkBroken)
    #expect(try refusal(of: "tar(f('b'), l('a', 'b/c'))") == .archiveLinkBroken)
  }

  @Test("are refused where a file lies below a link")
  func throughLink() throws {
    #expect(try refusal(of: "tar(d('b'), l('a', 'b'), f('a/c'))") == .archiveThroughLink)
    #expect(try refusal(of: "tar(f('a/c'), l('b', 'a'), f('b/d'))") == .archiveThroughLink)
  }

  @Test("are refused with hard links, devices and pipes")
  func kinds() throws {
    #expect(try refusal(of: "tar(f('a'), h('b', 'a'))") == .archiveHardLink)
    #expect(try refusal(of: "tar(h('b', '/etc/passwd'))") == .archiveHardLink)
    for kind in ["CHRTYPE", "BLKTYPE", "FIFOTYPE"] {
      #expect(try refusal(of: "tar(dev('a', tarfile.\(kind)))") == .archiveDevice)
    }
  }

  @Test("are refused where they are encrypted")
  func encrypted() throws {
    let script = """
      zip(f('a', b'y' * 40))
      b = bytearray(open(out, 'rb').read())
      c = b.index(b'PK\\x01\\x02'); b[6] |= 1; b[c + 8] |= 1
      open(out, 'wb').write(b)
      """
    #expect(try refusal(of: script) == .archiveEncrypted)
  }

  @Test("are refused where more comes out than may, before it does")
  func bombs() throws {
    var limits = ModuleArchiveLimits()
    limits.bytes = 1000
    #expect(try refusal(of: "tar(f('a', b'x' * 1000))", limits: limits) == nil)
    #expect(try refusal(of: "tar(f('a', b'x' * 1001))", limits: limits) == .archiveTooLarge)
    #expect(try refusal(of: "zip(f('a', b'x' * 600), f('b', b'x' * 600))", limits: limits) == .archiveTooLarge)
    limits = ModuleArchiveLimits()
    limits.ratio = 2
    // 64 MiB of zeros may come out of anything, 80 only of 40.
    #expect(try refusal(of: "zip(f('a', bytes(80 << 20)))", limits: limits) == .archiveTooLarge)
    limits = ModuleArchiveLimits()
    limits.files = 2
    #expect(try refusal(of: "tar(f('a'), f('b'), d('c'))", limits: limits) == nil)
    #expect(try refusal(of: "tar(f('a'), f('b'), f('c'))", limits: limits) == .archiveTooManyEntries)
    limits.entries = 3
    #expect(try refusal(of: "tar(f('a/b/c/d'))", limits: limits) == .archiveTooManyEntries)
  }

  @Test("are refused where they are compressed twice")
  func nested() throws {
    let script =
      "import gzip; tar(f('a'), mode='w:gz'); b = open(out, 'rb').read(); open(out, 'wb').write(gzip.compress(b))"
    #expect(try refusal(of: script) == .archiveNested)
    let inZip = "import gzip; zip(f('a')); b = open(out, 'rb').read(); open(out, 'wb').write(gzip.compress(b))"
    #expect(try refusal(of: inZip) == .archiveDamaged)
  }

  @Test("are refused where they are cut short", arguments: [1, 10, 30, 700])
  func cut(count: Int) throws {
    let entries = "f('a', os.urandom(900)), f('b', os.urandom(900))"
    for kind in ["zip(\(entries))", "tar(\(entries), mode='w:gz')", "tar(\(entries), mode='w:xz')"] {
      #expect(try refusal(of: kind + "; cut(-\(count))") == .archiveDamaged, "\(kind)")
    }
    #expect(try refusal(of: "tar(\(entries)); cut(1000 + \(count))") == .archiveDamaged)
  }

  @Test("are read and refused when zstd compressed them, too", .tool("zstd"))
  func zstd() throws {
    let script = """
      tar(f('a', os.urandom(900)), l('b', 'a'))
      os.rename(out, out + '.tar'); os.system('zstd -q --check ' + out + '.tar -o ' + out)
      """
    #expect(try readArchive(script).map(\.path) == ["a", "b"])
    for count in [1, 4, 20, 500] {
      #expect(try refusal(of: script + "\ncut(-\(count))") == .archiveDamaged, "\(count)")
    }
    #expect(try refusal(of: script + "\nappend(b'more than a few bytes')") != nil)
  }

  @Test("are refused where bytes stand behind their end")
  func trailing() throws {
    #expect(try refusal(of: "zip(f('a')); append(b'more')") == .archiveTrailingBytes)
    #expect(try refusal(of: "tar(f('a')); append(b'more' * 500)") == .archiveTrailingBytes)
    #expect(try refusal(of: "tar(f('a')); append(bytes(512))") == nil)
  }

  @Test("are refused where the zip's directory tells other names than its parts, or bytes stand before it")
  func zipDirectory() throws {
    let other = """
      zip(f('aXb')); b = open(out, 'rb').read(); i = b.rindex(b'aXb')
      open(out, 'wb').write(b[:i] + b'aYb' + b[i + 3:])
      """
    #expect(try refusal(of: other) == .archiveDamaged)
    let before = "zip(f('a')); b = open(out, 'rb').read(); open(out, 'wb').write(b'PK\\x03\\x04' + b)"
    #expect(try refusal(of: before) == .archiveDamaged)
  }

  @Test("are refused where content does not match its checksum, and where they are no archive at all")
  func damaged() throws {
    #expect(
      try refusal(of: "zip(f('a', os.urandom(500))); patch(open(out,'rb').read()[200:204], b'....')") == .archiveDamaged
    )
    for script in ["b''", "b'hello'", "os.urandom(2000)", "b'PK\\x03\\x04'", "bytes(4096)"] {
      let code = try refusal(of: "open(out, 'wb').write(\(script))")
      // Zeros are an empty tar, which has no manifest.
      #expect(
        code == .archiveDamaged || (script == "bytes(4096)" && code == nil), "\(script): \(String(describing: code))")
    }
  }

  @Test("never crash, hang or grow the reader, however they are damaged")
  func fuzz() throws {
    let entries = "module(), d('A'), f('A/a', os.urandom(300)), l('b', 'A/a'), f('c' * 120, b'x' * 4000)"
    let samples = try [
      "zip(\(entries))", "tar(\(entries))", "tar(\(entries), mode='w:gz')", "tar(\(entries), mode='w:xz')",
    ]
    .map { Array(try SampleArchive.bytes($0)) }
    var limits = ModuleArchiveLimits()
    limits.bytes = 1 << 20
    limits.entries = 1000
    let reader = ModuleArchiveReader(limits: limits)
    var random = SeededRandom(seed: 5)
    var refused = 0
    for round in 0..<SeededRandom.rounds(or: 400) {
      var bytes = samples[round % samples.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.removeSubrange(place...)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: bytes[place] = [0, 0xff, 0x7f, 0x2f][round % 4]
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      var count: UInt64 = 0
      do {
        try reader.read(Bytes(bytes), name: "fuzz") { (entry) throws(ModuleError) in
          try entry.read { (piece) throws(ModuleError) in count += UInt64(piece.count) }
          #expect(!entry.path.isEmpty)
          #expect(!entry.path.hasPrefix("/"))
          #expect(!entry.path.contains("\0"))
          #expect(!entry.path.split(separator: "/").contains(".."))
        }
      } catch {
        refused += 1
      }
      #expect(count <= limits.bytes)
    }
    #expect(refused > 0)
  }
}
