import Catalogue
import Hummingbird

let path = CommandLine.arguments.dropFirst().first ?? "catalogue.sqlite"
try await Catalogue(path: path).application().runService()
