import ArgumentParser
import MPaaSProject

extension AddFile.Phase: ExpressibleByArgument {}
extension AddFile.HeaderRole: ExpressibleByArgument {}
extension ListSetting: ExpressibleByArgument {}
