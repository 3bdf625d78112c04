public import Foundation

/// Archives that Python's own `tarfile` and `zipfile` write, among them such as no packer of ours would.
public enum SampleArchive {
  /// The functions that a script may use: `f`, `d`, `l`, `h`, `dev` make an entry, `tar` and `zip` write entries to
  /// `out`.
  private static let prelude = """
    import io, os, struct, sys, tarfile, zipfile
    out = sys.argv[1]
    def info(name, kind, mode=0o755, link=''):
        i = tarfile.TarInfo(name); i.type = kind; i.mode = mode; i.linkname = link; return i
    def f(name, data=b'x', mode=0o644):
        data = data.encode() if isinstance(data, str) else data
        i = info(name, tarfile.REGTYPE, mode); i.size = len(data); return i, data
    def d(name): return info(name, tarfile.DIRTYPE), b''
    def l(name, target): return info(name, tarfile.SYMTYPE, link=target), b''
    def h(name, target): return info(name, tarfile.LNKTYPE, link=target), b''
    def dev(name, kind=tarfile.CHRTYPE): return info(name, kind), b''
    def module(name='Demo', version='1.0'):
        return f('module.toml', '[module]\\nname = "%s"\\nversion = "%s"\\n' % (name, version))
    def tar(*entries, mode='w', format=tarfile.PAX_FORMAT):
        with tarfile.open(out, mode, format=format) as t:
            for i, data in entries: t.addfile(i, io.BytesIO(data))
    def zip(*entries, comment=b''):
        with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
            z.comment = comment
            for i, data in entries:
                e = zipfile.ZipInfo(i.name + ('/' if i.isdir() else ''))
                e.create_system = 3
                kind = 0o120000 if i.issym() else 0o040000 if i.isdir() else 0o100000
                e.external_attr = (kind | i.mode) << 16
                e.compress_type = zipfile.ZIP_DEFLATED
                z.writestr(e, i.linkname if i.issym() else data)
    def patch(old, new):
        b = open(out, 'rb').read(); assert old in b
        open(out, 'wb').write(b.replace(old, new))
    def append(data):
        open(out, 'ab').write(data)
    def cut(count):
        b = open(out, 'rb').read(); open(out, 'wb').write(b[:count])

    """

  /// Runs a script that writes an archive to `path`.
  public static func make(_ script: String, at path: String) throws {
    let outcome = try Command.run("python3", ["-c", prelude + script, path])
    guard outcome.status == 0 else { throw Failure(text: outcome.errors) }
  }

  /// The bytes of the archive that a script writes.
  public static func bytes(_ script: String) throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.path + "/archive"
    try make(script, at: path)
    return try Data(contentsOf: URL(filePath: path))
  }

  private struct Failure: Error {
    let text: String
  }
}
