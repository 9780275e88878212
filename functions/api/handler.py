"""The HTTP API behind API Gateway; locally uvicorn serves the same `app`."""

from mangum import Mangum

from onec_rag import bootstrap

app = bootstrap.api()
handler = Mangum(app, lifespan="off")
