import Broker

struct Size {}

@Entity struct Album {
  @Identity var title: String
  var sleeve: ToOne<Size>?  // error: type 'Size' does not conform to protocol 'Storable'
  var pages: ToMany<Size>  // error: type 'Size' does not conform to protocol 'Storable'
  var label: Lable?  // error: cannot find type 'Lable' in scope
}
