extension Timeline {
  /// Reads the TOML form.
  public init(
    toml text: String, file: String, name: String? = nil, profiles: ProfileCatalogue = .builtIn
  ) throws(NetworkError) {
    self.init(name: name ?? file, steps: [])
  }
}
