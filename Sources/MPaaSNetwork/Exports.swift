// Programs import `MPaaSNetwork` for all of it: the conditions are a module of their own for the command, which has no
// proxies in it.
@_exported public import MPaaSNetworkConditions

#if !canImport(NIOCore)
  #error("name the trait Network where the package depends on mpaaskit: .package(url: …, traits: [\"Network\"])")
#endif
