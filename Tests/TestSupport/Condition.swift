import Glibc

/// A condition variable with its own mutex.
///
/// `@unchecked Sendable`: both are made for use by several threads and live as long as this.
@safe final class Condition: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let variable: UnsafeMutablePointer<pthread_cond_t>

  init() {
    unsafe self.mutex = .allocate(capacity: 1)
    unsafe self.variable = .allocate(capacity: 1)
    unsafe pthread_mutex_init(self.mutex, nil)
    unsafe pthread_cond_init(self.variable, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(self.variable)
    unsafe pthread_mutex_destroy(self.mutex)
    unsafe self.variable.deallocate()
    unsafe self.mutex.deallocate()
  }

  /// Wakes all waiting threads; their condition is true already.
  func signal() {
    unsafe pthread_mutex_lock(self.mutex)
    unsafe pthread_cond_broadcast(self.variable)
    unsafe pthread_mutex_unlock(self.mutex)
  }

  func wait(until isTrue: () -> Bool) {
    unsafe pthread_mutex_lock(self.mutex)
    while !isTrue() { unsafe pthread_cond_wait(self.variable, self.mutex) }
    unsafe pthread_mutex_unlock(self.mutex)
  }
}
