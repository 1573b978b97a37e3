public import ArgumentParser
public import Mapping
package import ObjectStore

extension KeyStyle: ExpressibleByArgument {}
extension WritePolicy.ToMany: ExpressibleByArgument {}
extension WritePolicy.References: ExpressibleByArgument {}
