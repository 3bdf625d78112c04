/// Paths in archives that would leave the folder that they were unpacked to.
package enum ZipPath {
  package static func isEscape(_ name: String) -> Bool {
    if name.hasPrefix("/") || name.hasPrefix("\\") || name.utf8.contains(0) { return true }
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
    return parts.contains("..") || parts.first?.hasSuffix(":") == true
  }
}
