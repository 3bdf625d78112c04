/// The file in which a server of proxies keeps its state.
package enum NetworkStatePlace {
  /// - Parameters:
  ///   - data: The folder for data of the kit.
  ///   - address: The address of the server's API as it was typed.
  package static func path(data: String, address: String) -> String {
    let name = address.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "_" }
    return "\(data)/network/\(String(name)).json"
  }
}
