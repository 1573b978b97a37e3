import ObjectStore
import PostgreSQLStore
import Testing

@Suite("Addresses of databases")
struct AddressTests {
  @Test(arguments: [
    (
      "postgresql://me:s3cret@db.example.com:5432/music?schema=bands",
      "postgresql://me@db.example.com:5432/music, schema bands"
    ),
    ("postgres://db/music?password=s3cret&sslmode=require", "postgres://db/music"),
    ("postgresql://me:s3%2Fcret@[::1]:5432/music", "postgresql://me@[::1]:5432/music"),
    ("postgresql://a:1,b:2/music", "postgresql://a:1,b:2/music"),
    ("postgresql://me@/music?host=/var/run/postgresql", "postgresql://me@/music"),
    ("postgresql:///music", "postgresql:///music"),
    ("host=db port=5432 dbname=music user=me password=s3cret", "postgresql://me@db:5432/music"),
    (" dbname = music password='s3 c\\'ret' schema=bands", "postgresql:///music, schema bands"),
    ("service=music", "postgresql://"),
    ("PostgreSQL://me:s3cret@db/music", "postgresql://me@db/music"),
  ])
  func shownWithoutPassword(_ text: String, _ shown: String) throws {
    #expect(DatabaseAddress.isAddress(text))
    #expect(try DatabaseAddress(text).shown == shown)
  }

  /// Whatever of a password has moved to another place.
  @Test(arguments: [
    "postgresql://me:s3/cret@db/music", "postgresql://me:s3?cret@db/music",
    "postgresql://me:12/cret@db/music",
    "postgresql://me:12?cret@db/music", "postgresql://me:s3#cret@db/music",
    "postgresql://me:s3@cret@db/music",
    "postgresql://me:12/s3?host=cret@db", "postgresql://me:12?port=cret@db/music",
    "postgresql://me:12?s3cret=x",
    "postgresql://s3/cret@db", "postgresql://me:s3 cret@db/music", "postgresql://me:12/s3/cret",
    "host=db password=a s3cret", "host=db password='s3cret", "host=db user=me:s3/cret@x",
    "host=db password=a s3=cret",
    "password=s3cret host", "postgresql://me:12?schema=s3cret@db/music",
    "postgresql://me:12?work_mem=s3cret@db/music", "postgresql://me:12?unknown=1&schema=s3cret",
  ])
  func hiddenWhereThatIsNotCertain(_ text: String) throws {
    let shown = DatabaseAddress.shown(text)
    #expect(shown == "the PostgreSQL database", "\(shown)")
    do {
      let address = try DatabaseAddress(text)
      #expect(!address.shown.contains("s3"))
    } catch {
      #expect(!"\(error)".contains("s3"), "\(error)")
    }
  }

  @Test(arguments: ["bands.sqlite", "./host=db.sqlite", "a=b.sqlite", "", ":memory:", "hosts=1"])
  func filesAreNone(_ text: String) { #expect(!DatabaseAddress.isAddress(text)) }

  @Test func ownParametersAreNotGivenToTheServer() throws {
    let url = try DatabaseAddress(
      "postgresql://db/music?schema=a%20b&sslmode=require&work_mem=1GB&connections=20")
    #expect(url.connection == "postgresql://db/music?sslmode=require")
    #expect(url.schema == "a b")
    let pairs = try DatabaseAddress(#"host=db schema='a b' password='it\'s \\'"#)
    #expect(pairs.connection == #"host='db' password='it\'s \\'"#)
    #expect(pairs.schema == "a b")
    #expect(try DatabaseAddress("host=db", schema: "c").schema == "c")
  }

  @Test(arguments: [
    "postgresql://db/music?scheme=bands",
    "postgresql://me:hunter2@db:5432/music?sslmode=require&scheme=bands",
    "host=db dbname=music scheme=bands",
  ])
  func parametersThatThereAreNotAreNamed(_ text: String) {
    let error = #expect(throws: StoreError.self) { try DatabaseAddress(text) }
    #expect(
      error?.description == "The address of a database has no parameter scheme: did you mean schema?",
      "\(String(describing: error))")
  }

  /// What looks like a parameter may be a part of a password.
  @Test(arguments: [
    "postgresql://me:12?scheme=x@db/music", "postgresql://me:12?scheme=x", "host=db password=a scheme=x",
  ])
  func parametersThatMayBeSecretsAreNotNamed(_ text: String) throws {
    do { _ = try DatabaseAddress(text) } catch { #expect(!"\(error)".contains("scheme"), "\(error)") }
  }

  @Test(arguments: [
    "work_mem=1", "work_mem=1MB;DROP", "connections=1", "connections=x", "silence_timeout=-1", "schema=pg_x",
  ])
  func valuesThatAreNone(_ parameter: String) {
    #expect(throws: StoreError.self) { try DatabaseAddress("postgresql://db/music?\(parameter)") }
  }
}
