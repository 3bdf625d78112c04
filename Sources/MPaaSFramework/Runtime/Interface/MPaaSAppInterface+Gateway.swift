extension MPaaSAppInterface {
  /// The gateway that the app talks to in an environment, with the user's own values where those are chosen; nil where
  /// there is neither a gateway nor a value of the user's own.
  ///
  /// - Throws: `gateway-section-missing`, `gateway-address-malformed`.
  public func gatewaySettings(for environment: AppEnvironment) throws(FrameworkError) -> GatewaySettings? {
    let settings = try gateway?.settings(for: environment)
    guard let gatewayChoice else { return settings }
    return try gatewayChoice.applied(to: settings)
  }
}
