import CLibLZMA
import CLibZ
import CLibZstd

/// The compression libraries that are linked in, as they name themselves.
package enum CompressionLibraries {
  package static var versions: [String] {
    [
      "zlib \(String(cString: zlibVersion()))", "liblzma \(String(cString: lzma_version_string()))",
      "zstd \(String(cString: ZSTD_versionString()))",
    ]
  }
}
