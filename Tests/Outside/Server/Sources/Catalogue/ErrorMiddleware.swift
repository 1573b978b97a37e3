import Broker
import Hummingbird

/// What the store says, as status codes.
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as ObjectNotFound {
      throw HTTPError(.notFound, message: "\(error)")
    } catch let error as SaveError {
      throw HTTPError(.conflict, message: "\(error)")
    } catch let error as ImportError {
      throw HTTPError(.badRequest, message: "\(error)")
    } catch let error as PartialImportError {
      throw HTTPError(.badRequest, message: "\(error)")
    } catch let error as ObjectPredicateError {
      throw HTTPError(.badRequest, message: "\(error)")
    } catch let error as QueryError {
      throw HTTPError(.badRequest, message: "\(error)")
    }
  }
}
