extension Optional where Wrapped == String {
  /// The file that `--output` names; nil, which stands for standard output, where it is `-` or was not given.
  package var outputFile: String? { self == "-" ? nil : self }
}
