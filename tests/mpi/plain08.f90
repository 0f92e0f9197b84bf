! The same as plain.f90 through the module of Fortran 2008, whose calls have other names.
program plain08
  use mpi_f08
  implicit none
  integer :: error, i, rank
  double precision :: mine, total
  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  mine = rank
  do i = 1, 5
    call MPI_ALLREDUCE(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_BARRIER(MPI_COMM_WORLD, error)
  end do
  call MPI_FINALIZE(error)
end program plain08
