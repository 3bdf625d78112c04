public import ArgumentParser
public import MPaaSNetwork

extension ProxyDefinition.Kind: ExpressibleByArgument {}
extension Direction: ExpressibleByArgument {}
extension Condition.Kind: ExpressibleByArgument {}
