public import ArgumentParser
public import Mapping
public import ObjectModel
package import ObjectStore

extension KeyStyle: ExpressibleByArgument {}
extension ToManyPolicy: ExpressibleByArgument {}
extension WritePolicy.References: ExpressibleByArgument {}
